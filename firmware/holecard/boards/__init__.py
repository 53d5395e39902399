"""The only code that knows a machine. A board is one class, `Board`, with these methods and nothing else.

    name                  str, e.g. "pico"; appears in *IDN?
    mode                  "bench" or "arcade", latched at power-on
    operator              (id, key) of the operator's commands; the key is b"" when there is none. It leaves the board
                          for table/authority.py and nobody else
    problem               "" or what is wrong with the settings, in words for the screen
    screen                (kind, column offset, address) of the panel, for drivers/panel.py; a fourth part, where there
                          is one, is what the panel is set up with in place of the driver's own commands
    now()                 microseconds modulo 2^30; compare and add only through holecard.table.ticks
    keys()                mask of the keys that are down at this instant, not debounced: BET 1, HIT 2, STAND 4, DOUBLE
                          8; and of the sensors that feel something: tap 16, hand wave 32. A board without them, or
                          whose settings do not name them, never sets these bits
    lamps(mask)           light exactly these keys, same bits
    i2c_write(addr, buf)  one write transaction on the panel's bus: 0x00 and commands, or 0x40 and data; raises OSError
                          when the bus does not acknowledge. On SPI the board makes of the first byte what is needed
    read_into(buf)        copy what the serial port has received into `buf` (any writable buffer); returns the number
                          of bytes, 0 when nothing came; never blocks. Every byte value arrives unchanged, 0x03
                          too; what follows a 0x03 is left for the next call, or for the prompt
    write_from(buf)       offer bytes to the serial port; returns how many it took, 0 while the host does not read;
                          never blocks. A caller offers the rest again on a later pass
    entropy(n)            n bytes from the best source of the machine
    unique_id()           bytes, the same at every start of this board, different on every board
    load(name)            bytes saved under that name, None when there are none; raises OSError when the storage cannot
                          be read at all, which `problem` then says
    save(name, data)      replace them; after a power cut `load` gives either the old bytes or the new ones, and of a
                          name that is new, None or no bytes. "folder/name" makes the folder
    kept()                whether this board has ever saved anything, from a place that outlasts its file system; False
                          too where there is no such place
    choose_mode(mode)     from the next start on this is the mode, kept in the settings; returns "" or why it cannot be;
                          raises OSError as `save`
    program()             iterates over the files of the program, in the order of their names: of each its name (str, as
                          "holecard/app.mpy" and "main.py"), then its bytes in pieces of at most 512, each valid until
                          the next one. Nothing comes where the program is part of MicroPython's image. Raises OSError
                          when the storage cannot be read; a file is open meanwhile, so go on or drop it
    room()                (heap free, heap, flash free, flash) in bytes, None for what the machine does not tell
    sound(name)           begin one of the short sounds of boards/piezo.py and return at once; silent without a
                          piezo or when the settings say so. It goes on in `idle`
    feed()                once a pass: in arcade mode the first call starts a watchdog of 8 s, which resets the board
                          when no other call follows in that time; in bench mode nothing, so that a debugger may stop
                          it. True once the machine wants the table to end
    service()             whether the prompt is wanted instead of the game; asked once, before anything else
    close()               give the machine back to the prompt: 0x03 interrupts again, no lamp, no sound
    idle(due)             wait until the instant `due`, or less: returns early when a key changes or bytes arrive
    reset()               start again as after power-on; does not return

Nothing else blocks: a panel write takes its time on the bus, a save the time of the flash. `keys`, `read_into`,
`write_from`, `i2c_write`, `now`, `feed` and `idle` allocate no memory. tests/hardware/test_contract.py holds every
board to this list.
"""
