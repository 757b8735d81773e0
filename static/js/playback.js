/* Plays over the board what happened since the reader's last decision. Any key or tap jumps to the end. */
const still = matchMedia("(prefers-reduced-motion: reduce)"), find = (id) => document.getElementById(id);
let running = [], zoomed = null;

// What a browser keeps for its reader; without storage it is forgotten with the page.
function kept(area, key, value) {
  try {
    if (value) window[area][key] = value;
    return window[area][key];
  } catch (problem) { return ""; }
}

function end() {
  running.forEach((each) => (each.cancel || each.remove).call(each));
  document.querySelector(".playing")?.classList.remove("playing");
  // The result stands above the board.
  if (find("play").classList.contains("unveiling")) {
    find("play").classList.remove("unveiling");
    scrollTo(0, 0);
  }
  running = [];
  if (zoomed) view(zoomed);
  zoomed = null;
}

// A view of the board: the part of the ground, whether that takes its least place, and how far it is scrolled.
function view({ board, box, isWhole, across, down }) {
  board.setAttribute("viewBox", box);
  board.parentElement.classList.toggle("whole", isWhole);
  board.parentElement.scrollTo(across, down);
}

function play(seen, isFirst) {
  end();
  const plan = find("playback"), board = document.querySelector(".stage-board .board");
  const fresh = plan && [...plan.querySelectorAll("[data-at]")].find((each) => +each.dataset.at >= seen);
  if (!fresh || !board || still.matches) return;
  const pace = kept("localStorage", "pace") === "slow" ? 2 : 1, from = fresh.dataset.start * pace;
  const run = (what, frames) => {
    running.push(what.animate(JSON.parse(frames), plan.dataset.length * pace));
    running.at(-1).currentTime = from;
  };
  running = [".playback", ".captions"].map((name) => document.importNode(plan.querySelector(name), true));
  const [layer, captions] = running;
  // What is played may happen anywhere on a zoomed ground.
  if (plan.dataset.whole !== board.getAttribute("viewBox")) {
    const { scrollLeft: across, scrollTop: down } = board.parentElement;
    zoomed = { board, box: board.getAttribute("viewBox"), isWhole: false, across, down };
    view({ board, box: plan.dataset.whole, isWhole: true, across: 0, down: 0 });
  }
  board.append(layer);
  board.classList.add("playing");
  find("play").append(captions);
  find("play").classList.toggle("unveiling", isFirst);
  // Beside the board they stand where the story stands, and hide neither the board nor what is asked.
  const { left, top, width } = document.querySelector(".stage-events").getBoundingClientRect();
  if (left >= board.getBoundingClientRect().right) {
    Object.assign(captions.style, { inset: `${Math.max(top, 5)}px auto auto ${left}px`, width: `${width}px` });
  }
  board.parentElement.scrollIntoView({ block: "nearest" });
  plan.querySelectorAll("[data-way]").forEach(({ dataset }) => {
    const piece = board.querySelectorAll("." + dataset.of)[dataset.number], arrow = piece?.querySelector(".b-arrow");
    if (piece) run(piece, dataset.way);
    if (arrow) run(arrow, dataset.turns);
  });
  [layer, captions].forEach((part) => part.querySelectorAll("[data-effect]").forEach((each) => {
    const { start, long } = each.closest("[data-at]").dataset, { effect, before, after } = each.dataset;
    each.style.animation = `${effect} ${long * pace}ms ${start * pace - from}ms`;
    each.style.setProperty("--before", before);
    each.style.setProperty("--after", after);
  }));
  run(layer, "[]");
  running.at(-1).onfinish = end;
}

function begin(event) {
  const plan = find("playback"), tools = find("playback-tools"), pace = kept("localStorage", "pace");
  if (tools && !still.matches) {
    tools.hidden = false;
    find("pace").value = pace || "normal";
  }
  if (!plan) return end();
  const key = "seen" + plan.dataset.match, seen = kept("sessionStorage", key) || 0;
  kept("sessionStorage", key, plan.dataset.until);
  // The end is played before its result to those who were at the match, not to those who open a finished one.
  const isOver = find("play").hasAttribute("data-over");
  if (pace !== "off" && (!isOver || event && seen)) play(seen, isOver);
}

["keydown", "pointerdown"].forEach((kind) => addEventListener(kind, (event) => { if (!event.repeat) end(); }, true));
document.addEventListener("click", ({ target }) => { if (target.closest("#again")) play(0, false); });
document.addEventListener("change", ({ target }) => { if (target.id === "pace") kept("localStorage", "pace", target.value); });
document.addEventListener("shown", begin);
still.onchange = end;
begin();
