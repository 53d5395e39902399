"""The same figures from a circuit simulator, ngspice: three of the checks computed in a way that shares no formula.

The netlists are made from the list of parts. The transistor is a plain model with the least gain that the list gives:
it shows that the circuit saturates such a transistor, not what one maker's does.
"""

import re
import subprocess

from tools.hardware.limits import lamp_part, lamp_volts
from tools.hardware.signals import bus_farads, bus_ohms, key_rc


def run(netlist):
    """{measurement: value} of a netlist. Raises RuntimeError with what ngspice said when there is none."""
    done = subprocess.run(["ngspice", "-b", "/dev/stdin"], input=netlist, capture_output=True, text=True, check=False)
    found = {name: float(value) for name, value in re.findall(r"^(\w+)\s+=\s+([-+.\deE]+)", done.stdout, re.MULTILINE)}
    if not found:
        raise RuntimeError(f"ngspice measured nothing: {done.stderr or done.stdout}")
    return found


def bus_rise(circuit, parts):
    """The rise time of a line of the bus, 0.3 to 0.7 of 3.3 V, with the largest pull-up."""
    return f"""rise of SDA
V1 vdd 0 3.3
R1 vdd sda {bus_ohms(parts)[1]}
C1 sda 0 {bus_farads(circuit, parts)} ic=0
.tran 0.1n 2u uic
.measure tran rise trig v(sda) val=0.99 rise=1 targ v(sda) val=2.31 rise=1
.end
"""


def key_release(circuit, parts):
    """How long the pin of a released button takes to reach the voltage that surely reads high."""
    pico, (ohms, _, farads) = parts["pico"], key_rc(circuit, parts)
    return f"""release of a button
V1 vdd 0 {pico["volts"][0]}
R1 vdd pin {ohms}
C1 pin 0 {farads} ic=0
.tran {ohms * farads / 1000} {ohms * farads * 3} uic
.measure tran release when v(pin)={pico["v_ih"]} rise=1
.end
"""


def lamp_driver(circuit, parts):
    """A lit lamp, with the weakest pin, the largest base resistor and the least gain."""
    pico, driver, lamp = parts["pico"], parts["driver"], lamp_part(circuit, parts)
    return f"""a lamp and its transistor
V1 feed 0 {lamp_volts(circuit, parts)}
V2 pin 0 {pico["v_oh"]}
RLAMP feed collector {lamp["volts"] / lamp["amperes"]}
RB pin base {parts["base-resistor"].range("ohms")[1]}
Q1 collector base 0 npn
.model npn npn(is=5e-14 bf={driver["gain"]} rc=0.5 re=0.2 vaf=100)
.tran 1u 100u
.measure tran vce find v(collector) at=90u
.measure tran vbe find v(base) at=90u
.measure tran supply find i(v1) at=90u
.end
"""
