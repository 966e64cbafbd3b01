// Elements, numbers and data: what every other part uses. Text is always set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function make(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

function draw(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function section(id, title, ...children) {
  const heading = make("h2", { id: `${id}-title`, text: title });
  return make("section", { id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

function number(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return whole.format(value);
  return String(Number(value.toPrecision(4)));
}

function plural(count, word) {
  return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
}

// Simulated time, given in microseconds.
function time(micro) {
  return micro < 1e6 ? `${(micro / 1000).toFixed(2)} ms` : `${(micro / 1e6).toFixed(4)} s`;
}

// The value that was packed into the element of this id.
async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function download(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const darkness = window.matchMedia("(prefers-color-scheme: dark)");

// A style variable of the page as it stands now, in light or dark.
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
