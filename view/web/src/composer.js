// A form that puts an agent together from the available components.

import { element, replaceContent } from "./dom.js";

export class Composer {
  constructor(dialog) {
    this.dialog = dialog;
    this.components = [];
  }

  offer(components) {
    this.components = components;
  }

  // Lets a person change an agent; `done` gets its text.
  open(text, done) {
    const input = element("input", { value: text, "aria-label": "Agent as text", size: 40 });
    const names = () => partsOf(input.value).map(nameOf);
    const slots = new Map();
    for (const component of this.components) {
      slots.set(component.slot, [...(slots.get(component.slot) ?? []), component]);
    }
    const boxes = [];
    const fieldsets = [...slots].map(([slot, components]) =>
      element("fieldset", {}, element("legend", {}, slot), ...components.map((component) => {
        const box = element("input", { type: "checkbox", onchange: () => toggle(component, box.checked) });
        boxes.push([component, box]);
        return element("label", { title: component.summary }, box, element("b", {}, component.name), ` ${component.summary}`);
      })),
    );
    const refresh = () => {
      for (const [component, box] of boxes) box.checked = names().includes(component.name);
    };
    const toggle = (component, on) => {
      const excludes = (other) => isAlone(component) || isAlone(other) || (other.slot === component.slot && !component.several);
      const rivals = this.components.filter(excludes).map((other) => other.name);
      const kept = partsOf(input.value).filter((part) => {
        const name = nameOf(part);
        return name && name !== component.name && !(on && rivals.includes(name));
      });
      input.value = (on ? [...kept, component.name] : kept).join("+");
      refresh();
    };
    input.addEventListener("input", refresh);
    const close = (value) => {
      this.dialog.close();
      if (value) done(value);
    };
    replaceContent(
      this.dialog,
      element("h2", {}, "Compose an agent"),
      input,
      element("div", { class: "slots" }, ...fieldsets),
      element("button", { type: "button", onclick: () => close(input.value) }, "Use it"),
      element("button", { type: "button", onclick: () => close(null) }, "Cancel"),
    );
    refresh();
    this.dialog.showModal();
  }
}

// What does not search has no further components.
function isAlone(component) {
  return component.slot === "no search";
}

// The components of an agent's text; a `+` in parentheses is part of a value.
function partsOf(text) {
  return text.match(/(?:\([^)]*\)?|[^+(])+/g) ?? [];
}

function nameOf(part) {
  return part.replace(/\(.*/s, "").trim();
}
