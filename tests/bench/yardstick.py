"""The yardstick: how many plies a second python-chess reads from PGN, on the same machine in the same run."""

from __future__ import annotations

import io
import random
import time
from statistics import median

import chess
import chess.pgn


def random_games(number: int, seed: int = 1) -> tuple[str, int]:
    """So many random legal games of chess as PGN, and their plies."""
    chance = random.Random(seed)
    games, plies = [], 0
    for _ in range(number):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            board.push(chance.choice(list(board.legal_moves)))
        games.append(str(chess.pgn.Game.from_board(board)))
        plies += board.ply()
    return "\n\n".join(games) + "\n", plies


def plies_a_second(text: str, plies: int, passes: int = 3) -> float:
    """Read all games some times; the median speed."""
    return median(plies / _seconds(text, plies) for _ in range(passes))


def _seconds(text: str, plies: int) -> float:
    stream = io.StringIO(text)
    started = time.process_time()
    read = 0
    while (game := chess.pgn.read_game(stream)) is not None:
        if game.errors:
            raise AssertionError(game.errors)
        read += game.end().ply()
    if read != plies:
        raise AssertionError(f"{read} plies of {plies} were read")
    return time.process_time() - started
