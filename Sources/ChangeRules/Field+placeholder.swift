package import DefinitionModel

extension Field {
    /// The value that a client gets which requires the field but may not read it: some clients
    /// cannot store a record without it. It is a value of the field's type that says nothing.
    package var placeholder: FieldValue {
        switch type {
        case .text(let limits): .text(limits.format?.kind.leastText ?? "")
        case .integer(let limits): .integer(min(max(0, limits.minValue), limits.maxValue))
        case .decimal(let limits): .decimal(limits.closestToZero)
        case .boolean: .boolean(false)
        case .date(let limits):
            .date(
                milliseconds: min(
                    max(0, limits.minMilliseconds ?? 0), limits.maxMilliseconds ?? .max))
        case .belongsTo: .reference(guid: noGuid)
        case .file: .file(FileValue(guid: noGuid, filename: "hidden"))
        }
    }
}

private let noGuid = "00000000-0000-0000-0000-000000000000"

extension DecimalLimits {
    fileprivate var closestToZero: DecimalNumber {
        let zero = DecimalNumber(0)
        if let minValue, minValue > zero { return minValue }
        if let maxValue, maxValue < zero { return maxValue }
        return zero
    }
}
