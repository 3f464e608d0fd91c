"use strict";

// How long the server may be silent, and how long it may be gone before that is shown: a restart is nobody's business.
// It sends a sign of life every five seconds.
const SILENCE = 12_000, GRACE = 2_000, RETRY = 1_000;

const element = (id) => document.getElementById(id);
const content = document.body.dataset.content;
const frame = document.querySelector("iframe");

let report = null; // the newest one
let offlineSince = null;
let isLost = false; // whether the server is gone: what was true then may be true still, or not
let shown = "checking";

/** The view to show: a site that is there is not taken away because our server is gone. */
function view() {
  const isConnected = report !== null && (report.phase === "online" || report.phase === "degraded");
  if (isConnected && content) return "site";
  if (isLost) return "lost";
  if (isConnected) return "path";
  return report === null ? "checking" : report.phase;
}

function draw() {
  const next = view();
  if (report !== null) {
    drawPath(report);
    drawProblem(report.problem);
  }
  let notice = "";
  if (isLost && next === "site") notice = "This page has lost its server: whether the network is still there is not known.";
  else if (!isLost && report?.phase === "degraded") notice = report.reason;
  element("notice").textContent = notice;
  element("notice").hidden = notice === "";
  if (next !== shown) {
    element(shown).hidden = true;
    element(next).hidden = false;
    shown = next;
    // After an absence what was loaded before is old, or only half there.
    if (next === "site") frame.src = content;
  }
  const title = next === "site" ? report.heading : element(next).querySelector("h1").textContent;
  if (document.title !== title) document.title = title;
  const problem = next === "offline" && report.problem ? report.problem.summary : "";
  const said = [title, next === "offline" ? report.reason : "", problem, notice].filter(Boolean).join(". ");
  if (element("announcement").textContent !== said) element("announcement").textContent = said;
}

let problemShown = null;

/** An error with a button for each way on. The buttons stay the same while the error does: one may have the focus. */
function drawProblem(problem) {
  if (problemShown === (problem?.id ?? null)) return;
  problemShown = problem?.id ?? null;
  element("problem").hidden = !problem;
  element("options").replaceChildren();
  for (const part of ["summary", "reason", "suggestion"]) element(`problem-${part}`).textContent = problem?.[part] ?? "";
  for (const option of problem?.options ?? []) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = option.role;
    button.textContent = option.title;
    button.addEventListener("click", () => choose(problem.id, option.id));
    element("options").append(button);
  }
}

async function choose(problem, option) {
  const buttons = [...element("options").children];
  for (const button of buttons) button.disabled = true;
  try {
    // Whatever the answer is, the next report shows what is true then.
    await fetch(`/choice/${problem}/${option}`, { method: "POST" });
  } catch {
    for (const button of buttons) button.disabled = false;
  }
}

function drawPath({ phase, heading, reason, diagnosis, summary, path }) {
  const [first] = path.interfaces;
  const words = { IPv4: path.supportsIPv4, IPv6: path.supportsIPv6, DNS: path.supportsDNS };
  element("mark").classList.toggle("odd", phase === "degraded");
  element("heading").textContent = heading;
  element("summary").textContent = summary;
  element("interface").textContent = first ? `${first.name} (${first.type})${path.usesTunnel ? ", a tunnel" : ""}` : "none";
  element("addresses").textContent = first?.addresses.join(", ") || "none";
  element("router").textContent = path.gateways.join(", ") || "none";
  element("supports").textContent = Object.keys(words).filter((word) => words[word]).join(", ") || "nothing";
  element("expensive").textContent = path.isExpensive ? "yes" : "no";
  element("constrained").textContent = path.isConstrained ? "on" : "off";
  element("reason").textContent = reason;
  // The sentence of administrators, unless it is the one above.
  const cause = diagnosis?.sentence ?? "";
  const isNew = cause !== "" && `${cause}.`.toLowerCase() !== reason.toLowerCase();
  element("diagnosis").textContent = isNew ? `Diagnosis: ${cause}` : "";
  element("diagnosis").hidden = !isNew;
  if (phase !== "offline") offlineSince = null;
  else if (offlineSince === null) {
    offlineSince = new Date();
    const time = document.querySelector("time");
    time.dateTime = offlineSince.toISOString();
    time.textContent = offlineSince.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  }
}

let silence, grace;

function heard() {
  clearTimeout(silence);
  clearTimeout(grace);
  grace = undefined;
  silence = setTimeout(lose, SILENCE);
  if (isLost) {
    isLost = false;
    draw();
  }
}

function lose() {
  isLost = true;
  draw();
}

function follow() {
  const events = new EventSource("/events");
  events.addEventListener("report", (event) => {
    report = JSON.parse(event.data);
    heard();
    draw();
  });
  events.addEventListener("alive", heard);
  events.onerror = () => {
    // A browser gives up for ever where it was refused, so it is told anew each time.
    events.close();
    clearTimeout(silence);
    grace ??= setTimeout(lose, GRACE);
    setTimeout(follow, RETRY);
  };
}

follow();
