// ---- Tables. Every column sorts; on a narrow screen a row becomes a card whose figures bear their columns' names, so roles are said.

const column = (name, look, means = meaning(name)) => ({name, look, means});
const row = (attributes, first, ...cells) => html("tr", {role: "row", ...attributes},
  html("th", {scope: "row", role: "rowheader"}, first), cells);
const cell = (words, look, tip) => html("td", {role: "cell", class: look, "data-tip": tip}, words);
// Sorted by its number, not by its words; null, which stands for infinity, is the largest.
const valued = (value, element) => filled(element, {"data-value": value === null ? Infinity : value}, []);

function sortValue(element) {
  if (element.hasAttribute("data-value")) return Number(element.getAttribute("data-value"));
  const words = element.textContent.trim(), number = Number(words.replace(/[\u202f %]/g, ""));
  return words !== "" && !Number.isNaN(number) ? number : words;
}

// Figures before words, which stand for none; largest figures first, words by the alphabet.
function order(a, b) {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return typeof a === "number" ? b - a : a.localeCompare(b);
}

function sort(table, place, isReversed) {
  const body = table.tBodies[0], sign = isReversed ? -1 : 1;
  const rows = [...body.rows].map((one) => [sortValue(one.cells[place]), one]);
  body.append(...rows.sort(([a], [b]) => sign * order(a, b)).map(([, one]) => one));
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    head.removeAttribute("aria-sort");
    head.toggleAttribute("data-reversed", i === place && isReversed);
    if (i === place) head.setAttribute("aria-sort", (typeof (rows[0] || [""])[0] === "number") === isReversed ? "ascending" : "descending");
  });
}

function heading({name, look, means}) {
  return html("th", {scope: "col", role: "columnheader", class: look},
    html("button", {type: "button", class: "sort", "data-tip": means || "sorts the table"}, name));
}

// `worst`: name of the column by which the table is sorted at first; else it keeps the order of its rows.
function table(name, columns, rows, {worst, ...body} = {}) {
  const all = columns.flat(), made = html("table", {role: "table"},
    html("thead", {role: "rowgroup"}, html("tr", {role: "row"}, all.map(heading))), html("tbody", {role: "rowgroup", ...body}, rows));
  for (const one of rows) [...one.cells].forEach((element, i) => element.setAttribute("data-label", all[i].name));
  made.tHead.addEventListener("click", ({target}) => {
    const head = target.closest("th"), place = [...made.tHead.rows[0].cells].indexOf(head);
    if (place >= 0) sort(made, place, head.hasAttribute("aria-sort") && !head.hasAttribute("data-reversed"));
  });
  if (worst) sort(made, all.findIndex((of) => of.name === worst), false);
  return html("div", {class: "scroll tall", tabindex: 0, role: "region", "aria-label": name}, made);
}

// A table that another command left: sentences wrap, figures and names stay on their line.
function otherTable({title, lead, columns, rows, notes}) {
  const sentences = (all) => all.map((words) => html("p", {class: "sub"}, words));
  const look = (i, words) => columns[i].is_text ? (words.length > 48 ? "t long" : "t") : undefined;
  const body = table(title, columns.map((of) => column(of.name, of.is_text ? "t" : undefined, of.words || undefined)),
    rows.map(({cells, is_bad}) => html("tr", {role: "row"},
      html("th", {scope: "row", role: "rowheader", class: is_bad ? "over" : undefined}, cells[0]),
      cells.slice(1).map((words, i) => cell(words, look(i + 1, words))))));
  return section(title, "", sentences(lead), body, sentences(notes));
}
