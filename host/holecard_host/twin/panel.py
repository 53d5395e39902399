"""What a panel shows: decodes its controller's command stream as it comes over I2C.

Command numbers and behaviour: SSD1306 datasheet rev 1.1, chapters 8.1.5 (I2C), 8.7 (memory), 9 and 10 (commands), and
SH1106 datasheet rev 2.3, "Commands". The models are strict about what drivers get wrong, pointers, windows, addressing
modes, and ignore what cannot be seen: clock, pre-charge, levels. Continuous scrolling is noted, not animated.
"""

from __future__ import annotations

COLUMNS = 128
PAGES = 8

# Number of operand bytes of the commands that have any.
_OPERANDS = {
    0x20: 1,
    0x21: 2,
    0x22: 2,
    0x26: 6,
    0x27: 6,
    0x29: 5,
    0x2A: 5,
    0x81: 1,
    0x8D: 1,
    0xA3: 2,
    0xA8: 1,
    0xD3: 1,
    0xD5: 1,
    0xD9: 1,
    0xDA: 1,
    0xDB: 1,
}
_HORIZONTAL, _VERTICAL, _PAGE = 0, 1, 2
_SH1106_OPERANDS = dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)


class PanelModel:
    """One SSD1306 panel. `write` takes one I2C write transaction; `frame` is what the glass shows.

    `memory` is the display memory, page-major, 1,024 bytes, columns as the glass has them; `writes` counts
    transactions, `received` bytes without the address; `unknown` lists command bytes that the datasheet does not have.
    """

    columns = COLUMNS
    _operands = _OPERANDS

    def __init__(self, noise: int = 0x9E37) -> None:
        self.unknown: list[int] = []
        self._noise = noise
        self.writes = 0
        self.received = 0
        self.power_on()

    def power_on(self) -> None:
        """The state after power-on: off, memory full of noise, every register at its reset value."""
        state = self._noise
        memory = bytearray(self.columns * PAGES)
        for index in range(len(memory)):
            state = (state * 0x41C64E6D + 0x3039) & 0xFFFFFFFF
            memory[index] = state >> 16 & 0xFF
        self._noise = state & 0xFFFF
        self.memory = memory
        self.reset()

    def reset(self) -> None:
        """What the reset pin does: registers and pointers, but not the memory."""
        self.lit = False
        self.all_on = False
        self.inverted = False
        self.contrast = 0x7F
        self.charge_pump = False
        self.scrolling = False
        self.start_line = 0
        self.offset = 0
        self.rows = 64
        self.remap_columns = False
        self.remap_rows = False
        self.mode = _PAGE
        self.column = 0
        self.page = 0
        self._first_column, self._last_column = 0, COLUMNS - 1
        self._first_page, self._last_page = 0, PAGES - 1
        self._command: list[int] = []

    def write(self, data: bytes) -> None:
        """One transaction, without the address byte: control bytes (8.1.5.2), then commands or data."""
        self.writes += 1
        self.received += len(data)
        index = 0
        while index < len(data):
            control = data[index]
            index += 1
            end = index + 1 if control & 0x80 else len(data)
            if control & 0x40:
                self._store(data[index:end])
            else:
                for byte in data[index:end]:
                    self._take(byte)
            index = end

    def frame(self) -> bytes:
        """The glass as 1,024 page-major bytes, upright when mounted for A1/C8 (segments and rows remapped).

        A panel that is off is dark. The charge pump is taken as present, as on every common module.
        """
        if not self.lit or not self.charge_pump:
            return bytes(COLUMNS * PAGES)
        if self.all_on:
            return b"\xff" * (COLUMNS * PAGES)
        shift = (self.start_line + self.offset) % 64
        upright = not shift and self.remap_rows and self.rows == 64
        picture = self.visible()
        if not upright:
            picture = self._moved(picture, shift)
        if self.inverted:
            picture = bytes(byte ^ 0xFF for byte in picture)
        return picture

    def visible(self) -> bytes:
        """The part of the memory that the glass shows, 1,024 page-major bytes."""
        return bytes(self.memory)

    def _moved(self, shown: bytes, shift: int) -> bytes:
        picture = bytearray(COLUMNS * PAGES)
        for column in range(COLUMNS):
            bits = 0
            for page in range(PAGES):
                bits |= shown[page * COLUMNS + column] << 8 * page
            bits = (bits >> shift | bits << 64 - shift) & (1 << self.rows) - 1
            if not self.remap_rows:
                bits = int(f"{bits:0{self.rows}b}"[::-1], 2)
            for page in range(PAGES):
                picture[page * COLUMNS + column] = bits >> 8 * page & 0xFF
        return bytes(picture)

    def _store(self, data: bytes) -> None:
        for byte in data:
            # The remap (A0/A1) acts on data as it is written; what is stored stays where it is.
            place = self.column if self.remap_columns else COLUMNS - 1 - self.column
            self.memory[self.page * COLUMNS + place] = byte
            if self.mode == _VERTICAL:
                self._next_page()
            elif self.column != self._last_column_now():
                self.column = (self.column + 1) % COLUMNS
            else:
                self._next_column()
        self._command = []

    def _last_column_now(self) -> int:
        return COLUMNS - 1 if self.mode == _PAGE else self._last_column

    def _next_column(self) -> None:
        if self.mode == _PAGE:
            self.column = 0
            return
        self.column = self._first_column
        self.page = self._first_page if self.page == self._last_page else (self.page + 1) % PAGES

    def _next_page(self) -> None:
        if self.page != self._last_page:
            self.page = (self.page + 1) % PAGES
            return
        self.page = self._first_page
        last = self.column == self._last_column
        self.column = self._first_column if last else (self.column + 1) % COLUMNS

    def _take(self, byte: int) -> None:
        command = self._command
        command.append(byte)
        if len(command) <= self._operands.get(command[0], 0):
            return
        self._command = []
        self._run(command[0], command[1:])

    def _run(self, code: int, operands: list[int]) -> None:
        if code <= 0x1F:
            if self.mode == _PAGE:
                low, high = (code & 0x0F, self.column & 0x70)
                self.column = low | high if code < 0x10 else (code & 0x07) << 4 | self.column & 0x0F
        elif 0x40 <= code <= 0x7F:
            self.start_line = code & 0x3F
        elif 0xB0 <= code <= 0xB7:
            if self.mode == _PAGE:
                self.page = code & 0x07
        elif 0xC0 <= code <= 0xCF:
            self.remap_rows = bool(code & 0x08)
        elif operands:
            self._set(code, operands)
        else:
            self._switch(code)

    def _set(self, code: int, operands: list[int]) -> None:
        if code == 0x20:
            self.mode = min(operands[0] & 0x03, _PAGE)
        elif code == 0x21:
            self._first_column, self._last_column = (operand & 0x7F for operand in operands)
            self.column = self._first_column
        elif code == 0x22:
            self._first_page, self._last_page = (operand & 0x07 for operand in operands)
            self.page = self._first_page
        elif code == 0x81:
            self.contrast = operands[0]
        elif code == 0x8D:
            self.charge_pump = bool(operands[0] & 0x04)
        elif code == 0xA8:
            # Below 16 rows is invalid: the controller keeps what it had.
            rows = (operands[0] & 0x3F) + 1
            self.rows = rows if rows >= 16 else self.rows
        elif code == 0xD3:
            self.offset = operands[0] & 0x3F

    def _switch(self, code: int) -> None:
        if code in (0x2E, 0x2F):
            self.scrolling = code == 0x2F
        elif code in (0xA0, 0xA1):
            self.remap_columns = code == 0xA1
        elif code in (0xA4, 0xA5):
            self.all_on = code == 0xA5
        elif code in (0xA6, 0xA7):
            self.inverted = code == 0xA7
        elif code in (0xAE, 0xAF):
            self.lit = code == 0xAF
        elif code != 0xE3:
            self.unknown.append(code)


class Sh1106Model(PanelModel):
    """One SH1106 panel: 132 columns of memory, of which the glass shows 128 from `offset` on (mounted for A1/C8).

    It has pages and columns, one pointer to each, and nothing else: what an SSD1306 takes for windows and modes are
    bytes without meaning to it, and their operands other commands. A column pointer past the last stays there.
    """

    columns = 132
    _operands = _SH1106_OPERANDS

    def __init__(self, offset: int = 2, noise: int = 0x9E37) -> None:
        self.left = offset
        super().__init__(noise)

    def reset(self) -> None:
        super().reset()
        self.charge_pump = True  # the converter is on after a reset

    def visible(self) -> bytes:
        picture = bytearray(COLUMNS * PAGES)
        for page in range(PAGES):
            row = self.memory[page * self.columns : (page + 1) * self.columns]
            # The remap (A0/A1) turns the driver's outputs round, whatever the memory holds.
            shown = row if self.remap_columns else row[::-1]
            picture[page * COLUMNS : (page + 1) * COLUMNS] = shown[self.left : self.left + COLUMNS]
        return bytes(picture)

    def _store(self, data: bytes) -> None:
        for byte in data:
            if self.column < self.columns:
                self.memory[self.page * self.columns + self.column] = byte
                self.column += 1
        self._command = []

    def _run(self, code: int, operands: list[int]) -> None:
        if code <= 0x1F:
            self.column = self.column & 0xF0 | code if code < 0x10 else (code & 0x0F) << 4 | self.column & 0x0F
        elif code == 0xAD:
            if not self.lit:
                self.charge_pump = operands[0] == 0x8B
        elif 0x20 <= code <= 0x2F or code in (0x8D, 0xA3):
            self.unknown.append(code)
        elif not 0x30 <= code <= 0x33:
            super()._run(code, operands)


def panel_model(kind: str, offset: int = 0) -> PanelModel:
    """The model of a panel with this controller, "ssd1306" or "sh1106"; `offset` is that of an SH1106."""
    return Sh1106Model(offset) if kind == "sh1106" else PanelModel()
