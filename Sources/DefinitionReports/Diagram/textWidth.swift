/// How wide a text is at most, in pixels: as wide as in the widest of the usual fonts without
/// serifs, so that nothing overlaps wherever the drawing is shown.
func textWidth(_ text: String, size: Double, isBold: Bool = false) -> Int {
    let ems = text.unicodeScalars.reduce(0) { $0 + widthInEms(of: $1) }
    return Int((ems * size * (isBold ? 1.13 : 1)).rounded(.up))
}

private func widthInEms(of scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "f", "i", "j", "l", "r", "t", "I", "J", " ", ".", ",", ":", ";", "'", "|", "!", "(", ")":
        0.42
    case "m", "w", "M", "W", "@", "%": 1
    case "A"..."Z", "→", "&", "+", "=", "<", ">", "#": 0.84
    case "\u{20}"..."\u{7E}": 0.66
    case _: 1.3
    }
}
