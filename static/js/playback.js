/* Plays over the board what happened since the reader's last decision. Any key or tap jumps to the end. */
const still = matchMedia("(prefers-reduced-motion: reduce)"), find = (id) => document.getElementById(id);
let running = [], parts = [];

// What a browser keeps for its reader; without storage it is forgotten with the page.
function kept(area, key, value) {
  try {
    if (value) window[area][key] = value;
    return window[area][key];
  } catch (problem) { return ""; }
}

function end() {
  [...running, ...parts].forEach((each) => (each.cancel || each.remove).call(each));
  document.querySelector(".playing")?.classList.remove("playing");
  running = parts = [];
}

// Moves a piece along its rows of milliseconds, dx, dy, degrees and opacity, from one of them on.
function move(piece, rows, from, total, pace) {
  const rest = rows.filter((row) => row[0] > from), first = rows.findLast((row) => row[0] <= from);
  const way = [first, ...rest, rows.at(-1)], arrow = piece.querySelector(".b-arrow");
  const offset = (row, number) => number ? number > rest.length ? 1 : Math.min((row[0] - from) / total, 1) : 0;
  const run = (what, frame) => running.push(
    what.animate(way.map((row, number) => ({ offset: offset(row, number), ...frame(row) })), total * pace));
  // What stays in its place keeps the transform that it may have.
  run(piece, ([, x, y, , opacity]) => way.some((row) => row[1] || row[2])
    ? { transform: `translate(${x}px, ${y}px)`, opacity } : { opacity });
  if (!arrow) return;
  run(arrow, ([, , , turn]) => ({ transform: `rotate(${turn}deg)` }));
}

function play(seen) {
  end();
  const plan = find("playback"), board = document.querySelector(".stage-board .board");
  if (!plan || !board || still.matches) return;
  const fresh = [...plan.querySelectorAll("[data-at]")].find((each) => +each.dataset.at >= seen);
  if (!fresh) return;
  const from = +fresh.dataset.start, total = plan.dataset.length - from, pace = kept("localStorage", "pace") === "slow" ? 2 : 1;
  parts = [".playback", ".captions"].map((name) => document.importNode(plan.querySelector(name), true));
  board.append(parts[0]);
  board.classList.add("playing");
  find("play").append(parts[1]);
  plan.querySelectorAll("[data-track]").forEach(({ dataset }) => {
    const piece = board.querySelectorAll("." + dataset.of)[dataset.number];
    if (piece) move(piece, JSON.parse(dataset.track), from, total, pace);
  });
  parts.forEach((part) => part.querySelectorAll("[data-effect]").forEach(({ dataset, style, parentNode }) => {
    const { start, long } = dataset.at ? dataset : parentNode.closest("[data-at]").dataset;
    style.animation = `${dataset.effect} ${long * pace}ms ${(start - from) * pace}ms`;
    ["before", "after"].forEach((end) => style.setProperty("--" + end, dataset[end]));
  }));
  running.push(parts[0].animate([], total * pace));
  running.at(-1).onfinish = end;
}

function begin() {
  const plan = find("playback"), tools = find("playback-tools");
  if (tools && !still.matches) {
    tools.hidden = false;
    find("pace").value = kept("localStorage", "pace") || "normal";
  }
  if (!plan) return end();
  const key = "seen" + plan.dataset.match, seen = kept("sessionStorage", key) || 0;
  kept("sessionStorage", key, plan.dataset.until);
  if (kept("localStorage", "pace") !== "off") play(seen);
}

["keydown", "pointerdown"].forEach((kind) => addEventListener(kind, (event) => { if (!event.repeat) end(); }, true));
document.addEventListener("click", ({ target }) => { if (target.closest("#again")) play(0); });
document.addEventListener("change", ({ target }) => { if (target.id === "pace") kept("localStorage", "pace", target.value); });
document.addEventListener("shown", begin);
still.onchange = end;
begin();
