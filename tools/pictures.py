"""Draw the pictures of the README: rounds with stacked cards on the simulated table, photographed from its panel.

Run by `make pictures`; writes docs/pictures/*.png. Look at every one of them before it is committed.
"""

import sys
from pathlib import Path

from PIL import Image

from holecard_host.picture import Picture
from holecard_host.stands import Stand, open_stand

TARGET = Path(__file__).parent.parent / "docs" / "pictures"
SCALE = 6
GAP = 12
PAPER = (255, 255, 255, 0)


def scene(stand: Stand, *commands: str) -> Picture:
    """What the panel shows once all of `commands` have been carried out and drawn."""
    for command in commands:
        if command.startswith("press "):
            stand.wire.ask("*OPC?")  # no key counts while cards are being turned
            stand.press(command.split()[1], int(command.split()[2]))
        elif command.startswith("down "):
            stand.wire.ask("*OPC?")
            stand.press_down(command.split()[1])
            stand.advance(1000)
        elif command.startswith("up "):
            stand.release(command.split()[1])
        else:
            stand.wire.command(command)
    stand.wire.ask("*OPC?")
    return stand.panel()


def stacked(rules: str, cards: str, bet: str, bankroll: str = "0,1240", seats: int = 1) -> list[str]:
    """The commands that open a round of `rules` with these cards; bankroll and bet of seat 0 in dollars."""
    return [
        f"BENCh:RULes {rules}",
        f"BENCh:SEATs {seats}",
        f"BENCh:BANKroll {bankroll}",
        f'BENCh:SHOE "{cards}"',
        f"ROUNd:BET 0,{bet}",
    ]


def draw_all(stand: Stand) -> dict[str, Picture]:
    """Every picture by its file name."""
    act = "ROUNd:ACTion 0,"
    pictures = {}
    pictures["betting"] = scene(stand, "BENCh:RULes sifl", "BENCh:BANKroll 0,1240", "ROUNd:BET 0,25")
    sifl = stacked("sifl", "A,K,4,9,10,2,3,8", "25")
    pictures["playing"] = scene(stand, *sifl, "ROUNd:DEAL", act + "HIT", act + "HIT")
    pictures["hint"] = scene(stand, *stacked("casino", "10,6,2,10,9,5", "25"), "ROUNd:DEAL", "down STAND")
    scene(stand, "up STAND", "ROUNd:ACTion 0,STAND")
    pictures["insurance"] = scene(stand, *stacked("casino", "10,A,9,7,3", "50"), "ROUNd:DEAL")
    split = stacked("casino", "8,5,8,10,8,3,10,2,9,10,10,10,10", "25")
    pictures["split"] = scene(stand, *split, "ROUNd:DEAL", act + "SPLit", act + "SPLit", act + "HIT")
    pictures["doubling"] = scene(stand, *stacked("casino", "6,9,5,10,10", "50"), "ROUNd:DEAL", "press DOUBLE 60")
    pictures["blackjack"] = scene(stand, *stacked("sifl", "A,9,K,7", "25"), "ROUNd:DEAL")
    pictures["bust"] = scene(stand, *stacked("sifl", "10,9,6,8,10", "25"), "ROUNd:DEAL", act + "HIT")
    saved = stacked("sifl", "10,10,9,8", "500", bankroll="0,49800")
    pictures["saved"] = scene(stand, *saved, "ROUNd:DEAL", act + "STAND", "press HIT 60")
    return pictures


def sheet(pictures: list[Picture], columns: int) -> Image.Image:
    """The pictures in rows of `columns`, as one image."""
    images = [picture.to_image(3) for picture in pictures]
    width, height = images[0].size
    rows = -(-len(images) // columns)
    result = Image.new("RGBA", (columns * width + (columns - 1) * GAP, rows * height + (rows - 1) * GAP), PAPER)
    for number, image in enumerate(images):
        result.paste(image, (number % columns * (width + GAP), number // columns * (height + GAP)))
    return result


def main() -> None:
    """Draw and save."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with open_stand(sys.argv[1] if len(sys.argv) > 1 else "sim://cpython") as stand:
        pictures = draw_all(stand)
    (TARGET / "screen.png").write_bytes(pictures["playing"].to_png(SCALE))
    rest = [picture for name, picture in pictures.items() if name != "playing"]
    sheet(rest, 2).save(TARGET / "screens.png", optimize=True)


if __name__ == "__main__":
    main()
