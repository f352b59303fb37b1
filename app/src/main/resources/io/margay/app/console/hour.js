// What was served in the last hour, asked again every ten seconds.
import { get, say } from "./live.js";

const EVERY = 10000;

export class Hour {
  /** @param onRows called when there are new rows */
  constructor(by, minutes, onRows) {
    this.by = by;
    this.minutes = minutes;
    this.onRows = onRows;
    this.rows = [];
    this.asked = 0;
  }

  choose(by, minutes) {
    this.by = by;
    this.minutes = minutes;
    this.asked = 0;
    this.look();
  }

  /** To be called at every tick. */
  async look() {
    if (Date.now() - this.asked < EVERY) return;
    this.asked = Date.now();
    const by = this.by, minutes = this.minutes;
    try {
      const hour = await get("api/hour?by=" + by + "&minutes=" + minutes);
      if (by !== this.by || minutes !== this.minutes) return;
      this.rows = hour.rows;
      this.unwatched = hour.unwatched;
      this.onRows();
    } catch (e) {
      say(e.message, true);
    }
  }
}

/**
 * Minute by minute, the oldest first: times in seconds, requests/s, errors/s, p50 and p99 in
 * milliseconds; of several rows the sum, and the worst of the times.
 */
export function minutes(rows) {
  const length = Math.max(0, ...rows.map(row => row.plot.length));
  const start = Math.floor(Date.now() / 60000) - length + 1;
  const made = [[], [], [], [], []];
  for (let i = 0; i < length; i++) {
    const all = rows.map(row => row.plot[i - length + row.plot.length]).filter(Boolean);
    const requests = all.reduce((a, one) => a + one.requests, 0);
    // The minute that has not ended counts as far as it has come.
    const seconds = i === length - 1 ? Math.max(1, Date.now() / 1000 % 60) : 60;
    made[0].push((start + i) * 60);
    made[1].push(requests / seconds);
    made[2].push(all.reduce((a, one) => a + one.errors, 0) / seconds);
    made[3].push(requests === 0 ? null : 1000 * Math.max(...all.map(one => one.p50)));
    made[4].push(requests === 0 ? null : 1000 * Math.max(...all.map(one => one.p99)));
  }
  return made;
}
