/// An upper bound of a text's width in pixels: its width in the widest of the usual sans-serif
/// fonts, so that nothing overlaps in any of them.
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
