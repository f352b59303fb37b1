// Where the configuration comes from; check and reload, with what came of it.
import { action } from "./applications.js";
import { card, Facts, h, instant } from "./dom.js";
import { change, now } from "./live.js";

export const configuration = {
  id: "configuration",
  name: "Configuration",
  parts: ["system"],
  make() {
    const facts = new Facts();
    const found = h("pre", { id: "found", tabindex: "0", role: "region", "aria-label": "What was found", hidden: true });
    function show(lines) {
      found.textContent = lines.join("\n");
      found.hidden = lines.length === 0;
    }
    const check = action("Check", "the configuration", async () => {
      const { name, problems } = await change("POST", "api/configuration/check");
      show(problems);
      return problems.length === 0 ? name + " has no errors; a reload would take it."
        : name + ": " + problems.length + (problems.length === 1 ? " error" : " errors") + "; a reload would change nothing.";
    });
    const reload = action("Reload", "the configuration", async () => {
      try {
        await change("POST", "api/configuration/reload");
        show([]);
        return "The configuration was read again and is in force.";
      } catch (e) {
        show(e.message.split("\n"));
        throw new Error("Nothing was changed.");
      }
    });
    const buttons = h("p", {}, check, " ", reload);
    const none = h("p", { class: "empty" }, "The server was configured by its command line or by a program: there is no file to read again.");
    return {
      elements: [card("Configuration", facts.element, buttons, found, none)],
      update() {
        const system = now.system;
        if (!system) return;
        facts.update({
          "From": system.configuration || "no file",
          "Last reload": system.reloaded ? instant(system.reloaded) : "none since the start",
          "Result": !system.reloaded ? "–" : system.reloadFailure ? "refused, nothing was changed" : "in force"
        });
        if (system.reloadFailure && found.hidden) show(system.reloadFailure.split("\n"));
        none.hidden = Boolean(system.configuration);
        buttons.hidden = !none.hidden;
      }
    };
  }
};
