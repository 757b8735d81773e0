/* The board of an event: asks by its version whether something has changed, says how old it is, and runs the minute
   of a movement in the final. Windows of one browser share the minute: the GM starts it, the projector shows it. */
"use strict";
(function () {
  const byId = (id) => document.getElementById(id), projector = byId("projector");
  if (!projector) return;

  /* The minute. */
  const minute = byId("minute"), bar = minute.querySelector("progress"), left = minute.querySelector("[data-left]");
  const over = minute.querySelector("[data-over]"), channel = "BroadcastChannel" in window ?
    new BroadcastChannel(`challenge-minute-${projector.dataset.event}`) : null;
  let ends = null;
  function begin(at) {
    ends = at;
    tick();
  }
  minute.querySelector("[data-start]").addEventListener("click", () => {
    const at = Date.now() + bar.max * 1000;
    if (channel) channel.postMessage(at);
    begin(at);
  });
  if (channel) channel.addEventListener("message", (message) => begin(+message.data));
  function tick() {
    if (ends === null) return;
    const seconds = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
    bar.value = seconds;
    left.textContent = seconds;
    over.hidden = seconds > 0;
  }

  /* The scene. */
  const scene = () => byId("board-scene");
  function showMinute() {
    minute.hidden = scene() !== null && scene().dataset.scene !== "final";
  }
  showMinute();
  setInterval(tick, 250);
  if (!scene()) return;

  /* The answer is the same for everybody, in the language of the page: no cookie goes along. */
  const { lang } = document.documentElement;
  const ANYBODY = { credentials: "omit", headers: { "Accept-Language": lang } };
  const words = byId("board-words"), age = byId("board-age"), lost = byId("board-lost");
  let answered = Date.now(), since = null;
  function showAge() {
    const seconds = Math.max(0, Math.round((Date.now() - answered) / 1000));
    age.textContent = words.dataset.age.replace("{seconds}", seconds);
    lost.hidden = since === null;
    const said = since === null ? "" : words.dataset.lost.replace("{time}", since.toTimeString().slice(0, 5));
    if (lost.textContent !== said) lost.textContent = said;
  }
  async function ask() {
    try {
      const version = encodeURIComponent(scene().dataset.version);
      const answer = await fetch(`${projector.dataset.state}?version=${version}`, ANYBODY);
      if (!answer.ok) throw new Error(answer.status);
      if (answer.status === 200) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById("board-scene");
        if (fresh) scene().replaceWith(fresh);
        showMinute();
      }
      answered = Date.now();
      since = null;
    } catch (problem) {
      since ||= new Date(answered);
    }
    showAge();
    setTimeout(ask, 3000);
  }
  setInterval(showAge, 1000);
  setTimeout(ask, 3000);
})();
