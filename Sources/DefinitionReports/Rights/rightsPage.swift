/// The style sheet of the rights page.
let rightsStyle = """
    :root {
      color-scheme: light dark;
      --paper: #fbfaf6; --ink: #26241f; --soft: #6f6a5f; --line: #e6e1d5; --band: #f3efe4;
      --own: #fbf0d2; --own-ink: #6f5212; --group: #f8dc95; --group-ink: #573c00;
      --all: #ebb03a; --all-ink: #2e1e00; --dot: #6f6a5f; --accent: #96600a;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #17181a; --ink: #ebe8e0; --soft: #a39e92; --line: #303236; --band: #212327;
        --own: #352f1e; --own-ink: #e6cd8c; --group: #6a5215; --group-ink: #fdeaba;
        --all: #d9a02f; --all-ink: #1f1500; --dot: #8f8c84; --accent: #f0c25c;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; padding: 2.5rem clamp(1rem, 4vw, 3.5rem) 4rem; background: var(--paper);
      color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, sans-serif;
    }
    h1 { margin: 0 0 .3rem; font-size: 1.75rem; font-weight: 650; letter-spacing: -.015em; }
    header p { margin: 0; color: var(--soft); }
    header b { color: var(--ink); font-weight: 600; }
    .digest { font-size: .8rem; overflow-wrap: anywhere; }
    code { font: .95em ui-monospace, Menlo, Consolas, monospace; }
    .legend { margin: 1.8rem 0 1.4rem; }
    dl { display: flex; flex-wrap: wrap; gap: .7rem 2.4rem; margin: 0; }
    dl + dl { margin-top: 1.1rem; }
    .operations { gap: .5rem 1.6rem; }
    dl div { max-width: 22rem; }
    dt { font-weight: 600; white-space: nowrap; }
    dd { margin: .1rem 0 0 2.2rem; color: var(--soft); font-size: .88rem; line-height: 1.4; }
    .operations dt { font-weight: 400; }
    .swatch, .key {
      display: inline-grid; place-items: center; width: 1.65rem; height: 1.45rem;
      margin-right: .55rem; border-radius: 5px; font-size: .8rem; font-weight: 600;
    }
    .key { border: 1px solid var(--line); color: var(--soft); }
    .own, .own-in-group { background: var(--own); color: var(--own-ink); }
    .own-in-group {
      background: repeating-linear-gradient(135deg, var(--own) 0 4px, var(--group) 4px 6px);
    }
    .group { background: var(--group); color: var(--group-ink); }
    .all { background: var(--all); color: var(--all-ink); }
    .swatch.none { color: var(--dot); border: 1px solid var(--line); }
    .limited { position: relative; }
    .limited::after {
      content: ""; position: absolute; top: 2px; right: 2px; border: 3px solid;
      border-color: currentColor currentColor transparent transparent; border-radius: 1px;
    }
    .filters {
      display: flex; flex-wrap: wrap; gap: .8rem 2.4rem; align-items: center;
      margin-bottom: 1.2rem; font-size: .88rem;
    }
    fieldset {
      display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; border: 0; padding: 0;
      margin: 0; min-width: 0;
    }
    fieldset legend { float: left; margin-right: .7rem; padding: 0; color: var(--soft); }
    fieldset label { position: relative; cursor: pointer; }
    fieldset input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
    fieldset span {
      display: block; padding: .15rem .7rem; border: 1px solid var(--line); border-radius: 99px;
      color: var(--soft); text-decoration: line-through;
    }
    fieldset :checked + span {
      background: var(--band); border-color: var(--band); color: var(--ink);
      text-decoration: none;
    }
    :focus-visible, fieldset :focus-visible + span {
      outline: 2px solid var(--accent); outline-offset: 2px;
    }
    .search { color: var(--soft); }
    .search[hidden] { display: none; }
    .search input {
      font: inherit; color: var(--ink); background: transparent; padding: .2rem .7rem;
      border: 1px solid var(--line); border-radius: 99px; margin-left: .4rem; width: 12rem;
    }
    .matrix { overflow: auto; max-height: 92vh; width: fit-content; max-width: 100%; }
    table { border-collapse: separate; border-spacing: 0; }
    th { text-align: left; font-weight: 400; white-space: nowrap; }
    thead th {
      position: sticky; top: 0; z-index: 2; height: 2.7rem; padding: 0 .25rem .1rem;
      background: var(--paper); font-size: .88rem; font-weight: 600; line-height: 1.2;
      vertical-align: bottom;
    }
    thead tr + tr th {
      top: 2.7rem; height: 1.7rem; padding-bottom: .35rem; text-align: center;
      border-bottom: 1px solid var(--line); color: var(--soft); font-size: .74rem;
      font-weight: 500;
    }
    thead small { display: block; }
    .name {
      position: sticky; left: 0; z-index: 1; padding: 0 1.2rem 0 1.2rem;
      background: var(--paper);
    }
    thead .name {
      z-index: 3; padding: 0 .6rem .35rem; border-bottom: 1px solid var(--line);
      color: var(--soft); font-weight: 500;
    }
    tbody::before { content: ""; display: table-row; height: .8rem; }
    .model > * { height: 2.1rem; background: var(--band); }
    .model .name { padding-left: .6rem; border-radius: 6px 0 0 6px; font-weight: 650; }
    .model > :last-child { border-radius: 0 6px 6px 0; }
    small { color: var(--soft); font-size: .74rem; font-weight: 400; }
    abbr { text-decoration: none; }
    td { height: 1.6rem; padding: 0 1px; }
    td.first, thead .first { padding-left: 1.1rem; }
    td b {
      position: relative; display: grid; place-items: center; width: 1.7rem; height: 1.4rem;
      border-radius: 5px; font-size: .8rem; font-weight: 600;
    }
    td i { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    td .none::before { content: "·"; color: var(--dot); font-weight: 700; }
    tbody tr:hover > * { background: var(--band); }
    tbody tr:hover .name { color: var(--accent); }
    .nothing { color: var(--soft); }
    @media (max-width: 40rem) {
      body { padding-top: 1.4rem; }
      h1 { font-size: 1.4rem; }
      .name { max-width: 9.5rem; overflow: hidden; text-overflow: ellipsis; }
      tbody .name small { display: block; padding-bottom: .25rem; line-height: 1; }
      .name, thead .name { padding-inline: .5rem; }
      td.first, thead .first { padding-left: .6rem; }
    }
    @media print {
      :root {
        color-scheme: light; --paper: #fff; --ink: #000; --soft: #555; --line: #ccc;
        --band: #f3efe4; --own: #fbf0d2; --own-ink: #6f5212; --group: #f8dc95;
        --group-ink: #573c00; --all: #ebb03a; --all-ink: #2e1e00; --dot: #666; --accent: #000;
      }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      body { padding: 0; font-size: 11px; }
      .filters { display: none; }
      .matrix { overflow: visible; max-height: none; }
      thead th, .name { position: static; }
      tbody { break-inside: avoid; }
    }
    """

/// Shows the models and fields whose name contains the search text; without the script everything
/// is shown. It contains no '<' and no '&', which are special in XML.
let rightsScript = """
    const search = document.querySelector(".search");
    const nothing = document.querySelector(".nothing");
    search.hidden = false;
    search.addEventListener("input", event => {
      const wanted = event.target.value.trim().toLowerCase();
      const has = element => element.textContent.toLowerCase().includes(wanted);
      let shown = 0;
      for (const model of document.querySelectorAll("tbody")) {
        const [head, ...fields] = [...model.rows];
        const whole = has(head.cells[0]);
        for (const field of fields) field.hidden = !(whole || has(field.cells[0].firstChild));
        model.hidden = !(whole || fields.some(field => !field.hidden));
        shown += model.hidden ? 0 : 1;
      }
      nothing.hidden = shown > 0;
    });
    search.form.addEventListener("submit", event => event.preventDefault());
    """
