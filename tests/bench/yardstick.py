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


def gin_rummy_actions_a_second(seconds: float = 2.0, seed: int = 1) -> float | None:
    """How many actions a second players take in OpenSpiel's random games of gin rummy, called from Python.

    Choosing by chance and chance's own draws are part of the time; ``None`` where OpenSpiel is not installed.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    game, chance = pyspiel.load_game("gin_rummy"), random.Random(seed)
    started = time.process_time()
    actions = 0
    while time.process_time() - started < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions += not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
    return actions / (time.process_time() - started)


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
