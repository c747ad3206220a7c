import Foundation

/// The contrast of two colours, each `0xRRGGBB`, as WCAG 2 defines it: from 1 to 21.
package func contrast(_ first: Int, _ second: Int) -> Double {
    let values = [luminance(first), luminance(second)].sorted()
    return (values[1] + 0.05) / (values[0] + 0.05)
}

private func luminance(_ colour: Int) -> Double {
    let channels = [16, 8, 0].map { shift -> Double in
        let value = Double((colour >> shift) & 0xFF) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
}
