// ---- The page

const hasRuns = page.has_runs, hasValues = report.tolerance.length > 0;
const shownParts = [hasRuns ? [findings(), comparison()] : [], hasValues ? [scatter(), histograms()] : [], page.tables.map(otherTable),
  hasValues ? tolerance() : [], hasRuns ? [risk(), laws(), modes()] : [], report.coverage.calls > 0 ? [rules(), pairs()] : [], reasons(), origins(),
  words()].flat(Infinity);

// In the order of the page, so that a keyboard gets there as a mouse does.
function contents() {
  const titles = shownParts.map((part) => part.getAttribute("data-title"));
  return html("nav", {class: "contents", "aria-label": "Contents"}, html("ul", {}, titles.map((title) =>
    html("li", {}, html("a", {href: "#" + slug(title)}, title === "Findings" ? `Findings (${report.findings.length})` : title)))));
}

main.append(...[contents(), hasRuns ? tiles() : [], shownParts].flat(Infinity));
if (hasRuns) filterable();
tooltips();

const theme = document.getElementById("theme"), chosen = document.documentElement.dataset;
theme.hidden = false;
theme.addEventListener("click", () => {
  const isDark = chosen.theme ? chosen.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  chosen.theme = isDark ? "light" : "dark";
});

document.addEventListener("click", ({target}) => {
  if (!target.matches || !target.matches("button.copy")) return;
  const code = target.parentNode.querySelector("code");
  const done = () => { target.textContent = "Copied"; setTimeout(() => { target.textContent = "Copy"; }, 1500); };
  const select = () => {
    getSelection().selectAllChildren(code);
    try { if (document.execCommand("copy")) done(); } catch { }
  };
  if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(code.textContent).then(done, select);
  else select();
});
