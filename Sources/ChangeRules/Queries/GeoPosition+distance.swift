package import DefinitionModel

extension GeoPosition {
    /// Along the surface of a sphere with the mean radius of the earth, in meters, to the
    /// millimeter. Every machine computes the same distance.
    package func meters(to other: GeoPosition) -> DecimalNumber {
        let (start, end) = (latitude.radians, other.latitude.radians)
        let east = (other.longitude.radians - longitude.radians) / 2
        let parallels = cosine(start) * cosine(end)
        // The squares of half the chords to the other position and to its antipode.
        let near = squared(sine((end - start) / 2)) + parallels * squared(sine(east))
        let far = squared(sine((end + start) / 2)) + parallels * squared(cosine(east))
        let angle = 2 * arc(sine: near.squareRoot(), cosine: far.squareRoot())
        let millimeters = Int64((1000 * Self.earthRadiusMeters * angle).rounded())
        let fraction = String(1000 + millimeters % 1000).dropFirst()
        return DecimalNumber("\(millimeters / 1000).\(fraction)") ?? DecimalNumber(0)
    }

    package static let earthRadiusMeters = 6_371_000.0
}

extension DecimalNumber {
    /// The angle in radians of a number of degrees.
    fileprivate var radians: Double { binary * .pi / 180 }
}

// The functions of a system's library differ in their last digit from those of another system. The
// sums below consist of operations that every machine rounds in the same way.

private func squared(_ number: Double) -> Double { number * number }

/// The sine of an angle of at most π in either direction.
private func sine(_ angle: Double) -> Double {
    let acute = min(angle.magnitude, .pi - angle.magnitude)
    // The sum of Taylor, from its smallest term on.
    let ratio = stride(from: 24.0, through: 2, by: -2).reduce(1) { sum, number in
        1 - sum * acute * acute / (number * (number + 1))
    }
    return angle < 0 ? -ratio * acute : ratio * acute
}

/// The cosine of an angle of at most π in either direction.
private func cosine(_ angle: Double) -> Double { sine(.pi / 2 - angle.magnitude) }

/// The angle from 0 to π/2 whose sine and cosine are in the ratio of these two.
private func arc(sine: Double, cosine: Double) -> Double {
    sine <= cosine ? arcTangent(sine / cosine) : .pi / 2 - arcTangent(cosine / sine)
}

/// The angle whose tangent is a number from 0 to 1.
private func arcTangent(_ tangent: Double) -> Double {
    // The tangent of a quarter of the angle is at most 0.2, for which the sum needs few terms.
    let quarter = halved(halved(tangent))
    let ratio = stride(from: 25.0, through: 1, by: -2).reduce(0) { sum, number in
        1 / number - sum * quarter * quarter
    }
    return 4 * quarter * ratio
}

/// The tangent of half of an angle, from the tangent of the angle.
private func halved(_ tangent: Double) -> Double {
    tangent / (1 + (1 + tangent * tangent).squareRoot())
}
