import DefinitionModel

extension FieldType {
    /// Whether no value is within the limits, because they are the wrong way round.
    var isEmpty: Bool {
        switch self {
        case .text(let limits): limits.minLength > limits.maxLength
        case .integer(let limits): limits.minValue > limits.maxValue
        case .decimal(let limits): limits.isEmpty
        case .date(let limits):
            if let min = limits.minMilliseconds, let max = limits.maxMilliseconds {
                min > max
            } else {
                false
            }
        case .boolean, .belongsTo, .file: false
        }
    }
}
