#pragma once

#include <string_view>

namespace gradproof::properties {

/// The page's style. Colours are variables, so that charts follow the theme too.
inline constexpr std::string_view report_style = R"css(
:root{--bg:#fbfbfa;--panel:#fff;--ink:#1d2330;--soft:#5a6372;--line:#dfe2e7;--accent:#2a5bd7;--good:#19764a;--warn:#8a5a00;
--bad:#b3261e;--goodbg:#dcefe4;--warnbg:#f7e6c4;--badbg:#f9dcd9;--mutebg:#eceef1;--s1:#2a5bd7;--s2:#b4540a;--s3:#19764a;--scale:42,91,215;color-scheme:light}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#12151b;--panel:#191d25;--ink:#e4e7ec;--soft:#a0a9b8;--line:#2e3542;
--accent:#8fb0ff;--good:#6fd19c;--warn:#e6b758;--bad:#ff8f85;--goodbg:#173526;--warnbg:#3b2f12;--badbg:#441c1a;--mutebg:#262c37;--s1:#8fb0ff;
--s2:#f0a060;--s3:#6fd19c;--scale:143,176,255;color-scheme:dark}}
:root[data-theme=dark]{--bg:#12151b;--panel:#191d25;--ink:#e4e7ec;--soft:#a0a9b8;--line:#2e3542;--accent:#8fb0ff;--good:#6fd19c;--warn:#e6b758;
--bad:#ff8f85;--goodbg:#173526;--warnbg:#3b2f12;--badbg:#441c1a;--mutebg:#262c37;--s1:#8fb0ff;--s2:#f0a060;--s3:#6fd19c;--scale:143,176,255;color-scheme:dark}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,.top{max-width:96rem;margin:0 auto;padding:0 1.5rem}
.top{padding-top:1.75rem;display:flex;gap:1rem;align-items:flex-start;justify-content:space-between}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem;letter-spacing:-.01em}
h2{font-size:1.1rem;margin:2.5rem 0 .25rem;letter-spacing:-.005em}
h3{font-size:.95rem;margin:0 0 .35rem;overflow-wrap:anywhere}
p{margin:.25rem 0 .75rem;max-width:72rem}
.scroll th:first-child{padding-left:.9rem}.scroll td:last-child,.scroll thead th:last-child{padding-right:.9rem}
.sub{color:var(--soft);margin:0;overflow-wrap:anywhere}
button,select{font:inherit;font-size:.875rem;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.3rem .6rem}
button{white-space:nowrap;flex:none}button:hover{border-color:var(--soft)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.filters{position:sticky;top:0;z-index:5;background:var(--bg);border-bottom:1px solid var(--line);margin-top:1.25rem}
.filters form{max-width:96rem;margin:0 auto;padding:.6rem 1.5rem;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
.filters label{display:flex;gap:.4rem;align-items:center;font-size:.85rem;color:var(--soft)}
#shown{margin-left:auto;font-size:.85rem;color:var(--soft)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1.25rem 0}
.tile{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem}
.tile b{display:block;font-size:1.35rem;font-weight:600;font-variant-numeric:tabular-nums;line-height:1.25}
.tile span{color:var(--soft);font-size:.82rem}
.tile.bad b{color:var(--bad)}.tile.good b{color:var(--good)}
.note{background:var(--warnbg);border-radius:8px;padding:.6rem .9rem;margin:.75rem 0}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:1rem}
.scroll{overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.tall{max-height:38rem;overflow-y:auto}
table{border-collapse:collapse;width:100%;font-size:.8rem;font-variant-numeric:tabular-nums}
th,td{padding:.28rem .42rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
thead th{position:sticky;top:0;background:var(--panel);color:var(--soft);font-weight:500;z-index:1;box-shadow:0 1px 0 var(--line)}
th[scope=row],.t{text-align:left;font-weight:500}td.long{white-space:normal;min-width:24rem}
tbody tr:last-child>*{border-bottom:0}
tbody tr:hover{background:var(--mutebg)}
td.over,th.over{color:var(--bad);font-weight:600}
.zero{color:var(--soft)}
svg{display:block;max-width:100%}
td svg{max-width:none;width:80px}
.sub+.scroll,h2+.scroll{margin-top:.6rem}
svg text{fill:var(--soft);font:11px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
.axis{stroke:var(--line);fill:none}
.matrix svg{max-width:58rem}
.spark{fill:var(--s1)}
.multiples{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.75rem}
.multiples h3{font-size:.85rem}
.legend{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;font-size:.82rem;color:var(--soft);margin:.3rem 0 .6rem;padding:0;list-style:none}
.legend i{display:inline-block;width:.8rem;height:.8rem;border-radius:3px;margin-right:.35rem;vertical-align:-.08rem}
.rules{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.6rem,1fr));gap:4px;list-style:none;margin:0;padding:0;font-size:.78rem}
.rules li{border-radius:5px;padding:.25rem .5rem;display:flex;flex-direction:column;font-variant-numeric:tabular-nums}
.both{background:var(--goodbg)}.one{background:var(--warnbg)}.none{background:var(--badbg)}.never{background:var(--mutebg);color:var(--soft)}
.finding{background:var(--panel);border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:8px;padding:.9rem 1rem;margin:.75rem 0}
.finding ul{margin:.3rem 0;padding-left:1.2rem}
.command{display:flex;gap:.5rem;align-items:flex-start;margin:.5rem 0}
.command code{flex:1;min-width:0}
code,pre{font:12.5px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.command code,pre{display:block;background:var(--mutebg);border-radius:6px;padding:.45rem .6rem;margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
details{margin:.4rem 0}summary{cursor:pointer;color:var(--accent);font-size:.875rem}
details>pre{margin-top:.4rem}
footer{max-width:96rem;margin:2.5rem auto 0;padding:1rem 1.5rem 2rem;color:var(--soft);font-size:.82rem;border-top:1px solid var(--line)}
[hidden]{display:none!important}
@media(max-width:40rem){main,.top,.filters form,footer{padding-left:1rem;padding-right:1rem}.top{padding-top:1.1rem}h1{font-size:1.2rem}
.filters{position:static}.filters form{display:grid;grid-template-columns:1fr 1fr}.filters label{flex-direction:column;align-items:stretch;gap:.1rem}
#shown{grid-column:1/-1;margin:0}.tiles{grid-template-columns:1fr 1fr;gap:.5rem}.tile{padding:.5rem .7rem}
.scroll th[scope=row]{position:sticky;left:0;background:var(--panel);box-shadow:1px 0 0 var(--line)}
.wide{overflow-x:auto}.wide svg{min-width:40rem;max-width:none}}
@media print{:root,:root[data-theme=dark]{--bg:#fbfbfa;--panel:#fff;--ink:#1d2330;--soft:#5a6372;--line:#dfe2e7;--accent:#2a5bd7;--good:#19764a;--warn:#8a5a00;
--bad:#b3261e;--goodbg:#dcefe4;--warnbg:#f7e6c4;--badbg:#f9dcd9;--mutebg:#eceef1;--s1:#2a5bd7;--s2:#b4540a;--s3:#19764a;--scale:42,91,215;color-scheme:light}.scroll{overflow:visible}
.filters,button{display:none}.tall{max-height:none}body{background:#fff;font-size:11px}.finding,.tile,.multiples>div{break-inside:avoid}
thead th{position:static}}
)css";

/// Filters, the theme and copying. Filters stand in the address after #, so that a view can be
/// sent.
inline constexpr std::string_view report_script = R"js(
(function(){
"use strict";
var names=["soc","dtype","cube","verdict"],form=document.getElementById("filters"),shown=document.getElementById("shown");
var items=Array.prototype.slice.call(document.querySelectorAll("[data-f]"));
function wanted(){var w={};names.forEach(function(n){w[n]=form.elements[n].value});return w}
function fits(e,w){return names.every(function(n){if(!w[n])return true;var v=e.getAttribute("data-"+n);return v===null||v.split(" ").indexOf(w[n])>=0})}
function apply(){var w=wanted(),rows=0,findings=0,all=0;items.forEach(function(e){var ok=fits(e,w);if(ok)e.removeAttribute("hidden");else e.setAttribute("hidden","");
if(e.tagName==="TR"&&e.parentNode.id==="modes"){all++;if(ok)rows++}if(ok&&e.classList.contains("finding"))findings++});
shown.textContent=rows+" of "+all+" modes, "+findings+" findings shown"}
function remember(){var w=wanted(),parts=names.filter(function(n){return w[n]}).map(function(n){return n+"="+encodeURIComponent(w[n])});
try{history.replaceState(null,"",parts.length?"#"+parts.join("&"):location.pathname+location.search)}catch(e){}}
function recall(){location.hash.slice(1).split("&").forEach(function(p){var at=p.indexOf("="),n=p.slice(0,at);if(names.indexOf(n)>=0){
var v;try{v=decodeURIComponent(p.slice(at+1))}catch(e){return}form.elements[n].value=v;if(form.elements[n].selectedIndex<0)form.elements[n].selectedIndex=0}});apply()}
form.addEventListener("change",function(){apply();remember()});
form.addEventListener("reset",function(){setTimeout(function(){apply();remember()})});
form.addEventListener("submit",function(e){e.preventDefault()});
window.addEventListener("hashchange",recall);
document.getElementById("theme").addEventListener("click",function(){var r=document.documentElement,dark=r.dataset.theme?r.dataset.theme==="dark":matchMedia("(prefers-color-scheme: dark)").matches;r.dataset.theme=dark?"light":"dark"});
document.addEventListener("click",function(e){if(!e.target.matches||!e.target.matches("button.copy"))return;var b=e.target,code=b.parentNode.querySelector("code");
function done(){b.textContent="Copied";setTimeout(function(){b.textContent="Copy"},1500)}
function select(){var r=document.createRange();r.selectNodeContents(code);var s=getSelection();s.removeAllRanges();s.addRange(r);try{if(document.execCommand("copy"))done()}catch(x){}}
if(navigator.clipboard&&window.isSecureContext)navigator.clipboard.writeText(code.textContent).then(done,select);else select()});
document.getElementById("controls").removeAttribute("hidden");document.getElementById("theme").removeAttribute("hidden");recall();
})();
)js";

}  // namespace gradproof::properties
