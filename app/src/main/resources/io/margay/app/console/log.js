// The newest lines of the log, with a filter and the level.
import { h } from "./dom.js";
import { change, get, now, say } from "./live.js";

const SHOWN_MAX = 500;

export const log = {
  id: "log",
  name: "Log",
  parts: ["log-lines"],
  make() {
    const filter = h("input", { type: "search", size: "24", placeholder: "text" });
    const least = h("select", {}, ["DEBUG", "INFO", "WARNING", "ERROR"].map(word => h("option", { ".selected": word === "DEBUG" }, word)));
    const level = h("select", { id: "level" });
    const list = h("div", { class: "log", tabindex: "0", role: "region", "aria-label": "Lines of the log" });
    const none = h("p", { class: "empty" }, "Nothing was logged that matches.");
    const order = ["TRACE", "DEBUG", "INFO", "WARNING", "ERROR"];
    let stamp = "";
    function update() {
      const lines = now["log-lines"] || [];
      const text = filter.value.toLowerCase();
      const wanted = JSON.stringify([lines.length, lines.at(-1)?.number, text, least.value]);
      if (wanted === stamp) return;
      stamp = wanted;
      const from = order.indexOf(least.value);
      const chosen = lines.filter(line => order.indexOf(line.level) >= from
        && (text === "" || (line.logger + " " + line.message).toLowerCase().includes(text))).slice(-SHOWN_MAX);
      const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
      list.replaceChildren(...chosen.map(line => h("p",
        { class: line.level === "ERROR" ? "bad" : line.level === "WARNING" ? "warn" : null },
        line.time.slice(11, 23) + " " + line.level.padEnd(7) + " " + line.logger + ": " + line.message)));
      list.hidden = chosen.length === 0;
      none.hidden = chosen.length > 0;
      if (atEnd) list.scrollTop = list.scrollHeight;
    }
    filter.addEventListener("input", update);
    least.addEventListener("change", update);
    level.addEventListener("change", async () => {
      try {
        const set = await change("PUT", "api/log?level=" + level.value);
        say("The log level is " + set.level + ".");
      } catch (e) {
        say(e.message, true);
        levels();
      }
    });
    async function levels() {
      const set = await get("api/log");
      level.replaceChildren(...set.levels.map(word => new Option(word, word)));
      level.value = set.level;
    }
    levels().catch(e => say(e.message, true));
    return {
      elements: [h("section", { class: "card" }, h("div", { class: "form" }, h("label", {}, "Filter", filter),
        h("label", {}, "Shown from", least), h("label", {}, "Level of the server", level)), list, none)],
      update
    };
  }
};
