"use strict";

// Clocks: when each player acted last, and in games of turns how long each has had the turn.

/**
 * The clocks at every step, or null where no line of the game has a time. Each is
 * `{latest, players: [{at, since, used}, …]}` in seconds: the time of the player's latest act, how long after the
 * player's act before, and the time that passed in the player's turns, where `turn` is the slot that says whose it is.
 */
function clocksOf(steps, turn) {
  if (!steps.some((step) => step.row.time)) return null;
  const clocks = [];
  let now = { latest: null, unit: null, players: [0, 1].map(() => ({ at: null, since: null, used: 0 })) };
  let before = null;
  for (const step of steps) {
    const { time, player, unit } = step.row;
    if (time) {
      const [start, end] = time;
      const players = now.players.slice();
      if (turn !== null && before !== null && now.latest !== null && end > now.latest) {
        const whose = before.values[turn];
        if (players[whose]) players[whose] = { ...players[whose], used: players[whose].used + end - now.latest };
      }
      if (player !== undefined) {
        const last = players[player].at;
        players[player] = { ...players[player], at: end, since: last === null ? null : start - last };
      }
      now = { latest: Math.max(end, now.latest ?? end), unit, players };
    }
    clocks.push(now);
    before = step;
  }
  return clocks;
}

/** A time as its log counts it: seconds, or the time of day of an instant. */
function timeWords(seconds, unit) {
  if (unit === "seconds") return durationWords(seconds);
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
}

function durationWords(seconds) {
  if (seconds < 60) return `${seconds.toFixed(3)} s`;
  const whole = Math.floor(seconds / 60);
  const rest = (seconds - 60 * whole).toFixed(3).padStart(6, "0");
  return whole < 60 ? `${whole}:${rest}` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}:${rest}`;
}
