/// The style sheet of the drawing. Each model that relations refer to has a colour, which it shares
/// with the lines to it.
let diagramStyle = """
    svg { color-scheme: light dark; font-family: system-ui, "Segoe UI", Roboto, sans-serif; }
    .paper { fill: #fbfaf6; }
    .heading { font-size: 20px; font-weight: 650; fill: #26241f; }
    .counts { font-size: 12px; fill: #6f6a5f; white-space: pre; }
    .box { fill: #fff; stroke: #d9d3c5; }
    .head { fill: var(--colour); fill-opacity: .16; }
    .name { font-size: 14px; font-weight: 650; fill: #26241f; }
    .field { font-size: 13px; fill: #26241f; }
    .type { font-size: 11px; fill: #7d776b; text-anchor: end; }
    .star { fill: #b3411f; }
    .lines path { fill: none; stroke: var(--colour); stroke-width: 1.6; }
    .lines path:hover { stroke-width: 3.5; }
    .lines .arrow { fill: var(--colour); stroke: none; }
    .plain { --colour: #8b8577; }
    .colour0 { --colour: #b87a14; }
    .colour1 { --colour: #1f7f78; }
    .colour2 { --colour: #7a56b8; }
    .colour3 { --colour: #c0533f; }
    .colour4 { --colour: #3b74b9; }
    .colour5 { --colour: #5b8a2c; }
    .colour6 { --colour: #b2508d; }
    .colour7 { --colour: #5f7384; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #17181a; }
      .heading, .name, .field { fill: #ebe8e0; }
      .counts { fill: #a39e92; }
      .box { fill: #202225; stroke: #3a3d42; }
      .head { fill-opacity: .24; }
      .type { fill: #9c978c; }
      .star { fill: #f08a66; }
      .plain { --colour: #8f8b83; }
      .colour0 { --colour: #e3ab4a; }
      .colour1 { --colour: #4fb8ae; }
      .colour2 { --colour: #b095e6; }
      .colour3 { --colour: #ea8a75; }
      .colour4 { --colour: #74aaea; }
      .colour5 { --colour: #98c35f; }
      .colour6 { --colour: #e38cc2; }
      .colour7 { --colour: #9db3c6; }
    }
    """
