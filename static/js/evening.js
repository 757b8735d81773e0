/* The page of a round on the wall: counts down, asks every five seconds whether something has changed, and gives the
   letters of the matches what room the screen has left. */
"use strict";
(function () {
  let root = document.getElementById("evening");
  const ahead = Date.now() - Date.parse(root.dataset.now), two = (number) => String(number).padStart(2, "0");

  function grow() {
    const page = document.documentElement;
    for (let size = innerWidth < 960 ? 1 : 2.4; size >= 1; size -= .1) {
      root.style.setProperty("--grow", size.toFixed(1));
      if (page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth) return;
    }
  }

  function tick() {
    const clock = root.querySelector("[data-until]");
    if (!clock) return;
    const left = Math.max(0, Math.ceil((Date.parse(clock.dataset.until) + ahead - Date.now()) / 1000));
    const hours = Math.floor(left / 3600), rest = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
    clock.querySelector("[role=timer]").textContent = hours ? `${hours}:${rest}` : rest;
    clock.querySelector("[data-near]").hidden = !left || left > root.dataset.near;
    clock.querySelector("[data-over]").hidden = left > 0;
    clock.classList.toggle("near", left <= root.dataset.near);
  }

  async function ask() {
    let answer = null;
    try {
      answer = await fetch(`${root.dataset.changes}?version=${root.dataset.version}`);
      if (answer.status === 200) {
        const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
        const fresh = page.getElementById("evening");
        if (fresh) root.replaceWith(root = fresh);
        grow();
        tick();
      }
    } catch (problem) { answer = null; }
    document.getElementById("evening-offline").hidden = answer !== null && answer.ok;
  }

  setInterval(tick, 500);
  setInterval(ask, 5000);
  addEventListener("resize", grow);
  document.fonts.ready.then(grow);
  grow();
  tick();
})();
