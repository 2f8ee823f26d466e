"""An adapter: from the messages of another program's game server to a gamelog in JSON Lines, one line a message."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

RANKS = dict(enumerate("23456789TJQKA", 2))
REASONS = {"TOO_LATE": "race", "BAD_RANK": "rank", "FACE_DOWN": "facedown"}


def card(data: dict[str, Any] | None) -> str:
    """A card as the notation writes it; one that the server did not send is `??`."""
    return "??" if data is None else RANKS[data["rank"]] + data["suit"][0].upper()


def event(message: dict[str, Any]) -> dict[str, Any]:
    """A message's event, with the keys of its kind."""
    match message["type"]:
        case "ROUND_STARTED":
            return {"type": "round", "number": message["round"]}
        case "DEALT":
            columns = [list(map(card, column)) for column in message["columns"]]
            return {"type": "deal", "stocks": columns, "spit": list(map(card, message["reserve"]))}
        case "RESERVE_TURNED":
            return {"type": "spit", "card": card(message["card"]), "on": message["lane"] + 1}
        case "CARD_PLAYED" | "PLAY_REJECTED":
            place = {"from": message["column"] + 1, "on": message["lane"] + 1}
            refused = {"refused": REASONS.get(message["why"], "other")} if "why" in message else {}
            return {"type": "play", "card": card(message["card"]), **place, **refused}
        case "COLUMN_REVEALED":
            return {"type": "flip", "card": card(message["card"]), "at": message["column"] + 1}
    raise ValueError(f"message {message['id']} is a {message['type']}, which this adapter does not know")


def gamelog(messages: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The lines of one game, its header first."""
    for message in messages:
        if message["type"] == "GAME_CREATED":
            yield {"gamelog": 1, "game": "spit", "players": message["names"], "id": message["game"]}
        else:
            actor = {"player": "AB"[message["seat"]]} if "seat" in message else {}
            yield {"seq": message["id"], "t": message["at"] / 1000, **actor, **event(message)}


if __name__ == "__main__":
    for line in gamelog(map(json.loads, sys.stdin)):
        print(json.dumps(line))
