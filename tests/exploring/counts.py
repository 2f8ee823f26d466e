"""Makes the table of counts anew: ``python -m tests.exploring.counts > tests/exploring/counts.toml``."""

from __future__ import annotations

from fairdeal.checker.exploring.counting import ByNative, ByPython, count
from fairdeal.checker.exploring.starting import from_seed

DEEPEST = {"spit": 9, "queen-city-rum": 5}
SEEDS = (1, 2, 3)


def main() -> None:
    print("# Sequences of events from the start of a round, by depth and by their last event; made by")
    print(
        "# `python -m tests.exploring.counts`. The deal is that of `fairdeal generate GAME --seed SEED`, options as by"
    )
    print(
        "# default. Spit's are counted by the native engine, Queen City Rum's by the generated Python; the tests have"
    )
    print("# them counted by the other engines as far as those come, and by the interpreter at small depths.")
    for game, depth in DEEPEST.items():
        for seed in SEEDS:
            start = from_seed(game, seed, None, {})
            engine = ByNative(start, compiled=False) if game == "spit" else ByPython(start)
            print(f'\n[[deal]]\ngame = "{game}"\nseed = {seed}\nlevels = [')
            for level in count(engine, depth):
                events = ", ".join(f"{name} = {number}" for name, number in sorted(level.by_event.items()))
                print(f"    {{ sequences = {level.sequences}, {events} }},")
            print("]")


if __name__ == "__main__":
    main()
