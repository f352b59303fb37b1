// The active configuration, and what a reload would change; check and reload, with the result.
import { action } from "./applications.js";
import { card, count, Facts, h, instant, Table } from "./dom.js";
import { change, now, say, token } from "./live.js";

const SHOWN = 1000;

/** How many of something, in words. */
const many = (n, of) => count(n) + " " + of + (n === 1 ? "" : "s");

/** What a key is and was, or what holds without it. */
const given = (text, otherwise) => text !== "" ? text : { text: "not set", note: otherwise ? "default: " + plain(otherwise) : undefined };

/** What the reference says of a default, without its marks. */
const plain = text => text.replaceAll("`", "");

export const configuration = {
  id: "configuration",
  name: "Configuration",
  parts: ["system"],
  make() {
    const facts = new Facts();
    const found = h("pre", { id: "found", tabindex: "0", role: "region", "aria-label": "What was found", hidden: true });
    const changes = new Table("What a reload would change", [
      { name: "Key", wide: true, of: one => ({ text: one.path, kind: "mono", note: [one.line && "line " + one.line,
        one.atStart && "read at start only: restart the server"].filter(Boolean).join(", ") || undefined }) },
      { name: "In force", wide: true, of: one => given(one.inForce, one.default) },
      { name: "In the file", wide: true, of: one => given(one.file, one.default) }
    ], one => one.path, "Nothing: the file says what is active.");
    const values = new Table("The active configuration", [
      { name: "Key", wide: true, of: one => ({ text: one.path, kind: "mono" }) },
      { name: "Value", wide: true, of: one => one.line || one.value !== "" ? one.value : { text: plain(one.default), kind: "soft" } },
      { name: "Default", wide: true, of: one => ({ text: plain(one.default), kind: "soft" }) },
      { name: "Line", number: true, of: one => one.line && state.ownFile ? one.line : "" }
    ], one => one.path, "No key contains this.");
    const filter = h("input", { type: "search", size: "28", placeholder: "key or value" });
    const absent = h("input", { type: "checkbox" });
    const locked = h("p", { class: "empty" }, "Values are shown with the token only: enter it in the menu.");
    const more = h("p", { class: "soft" });
    const differs = card("What a reload would change", changes.element);
    differs.id = "changes";
    const inForce = card("In force", h("div", { class: "form" }, h("label", {}, "Filter", filter),
      h("label", { class: "check" }, absent, "with keys that are not set")), values.element, more);
    inForce.id = "in-force";
    differs.hidden = inForce.hidden = true;
    let state = {};
    let asked = 0;
    let shown = "";

    function show(lines) {
      found.textContent = lines.join("\n");
      found.hidden = lines.length === 0;
    }
    /** Where it comes from, and how it stands. */
    function tell() {
      const system = now.system;
      const told = {
        "From": system.configuration || "no file",
        "Last reload": system.reloaded ? instant(system.reloaded) : "none since the start",
        "Result": !system.reloaded ? "–" : system.reloadFailure ? "refused, nothing was changed" : "active"
      };
      if (state.since) {
        told["In force since"] = instant(state.since);
        told["The file now"] = state.state === "same" ? "says the same"
          : state.state === "wrong" ? { text: "has " + many(state.problems.length, "error"), kind: "bad" }
            : { text: many(state.changes.length, "key") + " differ" + (state.changes.length === 1 ? "s" : ""), kind: "warn" };
        if (state.commandLine.length) told["The command line overrides it"] = state.commandLine.join(" ");
      }
      facts.update(told);
    }

    /** Compares the file with what is active. */
    async function compare() {
      const mine = ++asked;
      const held = token();
      if (held === "" || held !== shown) differs.hidden = inForce.hidden = true;
      shown = held;
      locked.hidden = shown !== "";
      if (shown === "" || !now.system?.configuration) return;
      try {
        const answer = await change("GET", "api/configuration?" + new URLSearchParams({ find: filter.value.trim(), all: absent.checked }));
        if (mine !== asked) return;
        state = answer;
        changes.update(state.changes);
        values.update(state.found);
        inForce.hidden = false;
        differs.hidden = state.state === "wrong" && state.changes.length === 0;
        more.textContent = many(state.values, "key") + " set." + (state.found.length >= SHOWN ? " The first " + SHOWN + " are shown." : "");
        if (state.problems.length) show(state.problems);
        tell();
      } catch (e) {
        if (mine !== asked) return;
        locked.hidden = !inForce.hidden;
        say(e.message, true);
      }
    }
    const check = action("Check", "the configuration", async () => {
      const { name, problems } = await change("POST", "api/configuration/check");
      show(problems);
      await compare();
      return problems.length === 0 ? name + " has no errors; a reload would take it."
        : name + ": " + many(problems.length, "error") + "; a reload would change nothing.";
    });
    const reload = action("Reload", "the configuration", async () => {
      try {
        await change("POST", "api/configuration/reload");
        show([]);
        await compare();
        return "The configuration was read again and is active.";
      } catch (e) {
        show(e.message.split("\n"));
        throw new Error("Nothing was changed.");
      }
    });
    let waiting = 0;
    filter.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(compare, 300); });
    absent.addEventListener("change", compare);
    const buttons = h("p", {}, check, " ", reload);
    const none = h("p", { class: "empty" }, "The server was configured by its command line or by a program: there is no file to read again.");
    return {
      elements: [card("Configuration", facts.element, buttons, found, none), locked, differs, inForce],
      update() {
        const system = now.system;
        if (!system) return;
        none.hidden = Boolean(system.configuration);
        buttons.hidden = !none.hidden;
        if (none.hidden && (asked === 0 || shown !== token())) compare();
        if (!none.hidden) locked.hidden = differs.hidden = inForce.hidden = true;
        tell();
        if (system.reloadFailure && found.hidden && !state.since) show(system.reloadFailure.split("\n"));
      }
    };
  }
};
