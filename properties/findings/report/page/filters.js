// ---- Filters. They stand in the address after #, so that a view can be sent.

const filters = [["SoC", "soc", (of) => of.soc], ["dtype", "dtype", (of) => of.dtype], ["cubeMathType", "cube", (of) => of.cubeMathType]];
const names = ["soc", "dtype", "cube", "verdict"], shown = html("span", {id: "shown", role: "status"});

function field(words, name, values) {
  return html("label", {}, words + " ", html("select", {name}, html("option", {value: ""}, "all"),
    values.map((value) => html("option", {}, value))));
}

function apply() {
  const fits = (element) => names.every((name) => !form.elements[name].value || !element.hasAttribute("data-" + name) ||
    element.getAttribute("data-" + name).split(" ").includes(form.elements[name].value));
  for (const element of document.querySelectorAll("[data-f]")) element.toggleAttribute("hidden", !fits(element));
  const count = (selector) => document.querySelectorAll(selector).length;
  shown.textContent = `${count("#modes tr:not([hidden])")} of ${count("#modes tr")} modes, ` +
    `${counted(count(".finding:not([hidden])"), "finding", "findings")} shown`;
}

function remember() {
  const parts = names.filter((name) => form.elements[name].value)
    .map((name) => `${name}=${encodeURIComponent(form.elements[name].value)}`);
  try { history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search); } catch { }
}

function recall() {
  for (const part of location.hash.slice(1).split("&")) {
    const [name, value] = part.split("=");
    if (!names.includes(name)) continue;
    try { form.elements[name].value = decodeURIComponent(value); } catch { continue; }
    if (form.elements[name].selectedIndex < 0) form.elements[name].selectedIndex = 0;
  }
  apply();
}

function filterable() {
  const sorted = (values) => [...new Set(values)].sort();
  form.append(...filters.map(([words, name, of]) => field(words, name, sorted(report.modes.map(of)))),
    field("verdict", "verdict", Object.keys(report.verdicts)), html("button", {type: "reset"}, "Show all"), shown);
  form.addEventListener("change", () => { apply(); remember(); });
  form.addEventListener("reset", () => setTimeout(() => { apply(); remember(); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", recall);
  document.getElementById("controls").hidden = false;
  recall();
}
