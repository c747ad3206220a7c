import ChangeRules
package import DefinitionModel
package import JSON

extension FieldValue {
    /// Reads a value as clients of Parse write it. Nil if it is none of the type, and for a
    /// relation, whose value is a `ParsePointer`.
    package init?(parse json: JSONValue, of type: FieldType) {
        switch type {
        case .text(let limits):
            guard let format = limits.format else {
                self.init(json, of: type.name)
                return
            }
            guard let text = format.text(parse: json) else { return nil }
            self = .text(text)
        case .integer, .boolean: self.init(json, of: type.name)
        case .decimal:
            // A text is not taken for a number here.
            if case .string = json { return nil }
            self.init(json, of: type.name)
        case .date:
            guard let milliseconds = parseMilliseconds(json) else { return nil }
            self = .date(milliseconds: milliseconds)
        case .belongsTo: return nil
        case .file:
            guard let file = FileValue(parse: json) else { return nil }
            self = .file(file)
        }
    }
}

/// A `Date`, or its bare text.
package func parseMilliseconds(_ json: JSONValue) -> Int64? {
    switch json {
    case .string(let text): return parseDateMilliseconds(text)
    case .object(let members):
        guard members["__type"] == .string("Date"), case .string(let text)? = members["iso"] else {
            return nil
        }
        return parseDateMilliseconds(text)
    case .null, .boolean, .integer, .decimal, .array, .unrepresentable: return nil
    }
}

extension FileValue {
    /// A `File`: its name is the guid and the file's own name. The url does not count.
    fileprivate init?(parse json: JSONValue) {
        guard case .object(let members) = json, members["__type"] == .string("File"),
            case .string(let name)? = members["name"]
        else { return nil }
        self.init(parseName: name)
    }

    package init?(parseName name: String) {
        let parts = name.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, isGuid(String(parts[0])), !parts[1].isEmpty else { return nil }
        self.init(guid: String(parts[0]), filename: String(parts[1]))
    }

    package var parseName: String { "\(guid)_\(filename)" }
}

extension TextFormat {
    /// The text of an `Object`, an `Array` or `Bytes`; nil for another value.
    fileprivate func text(parse json: JSONValue) -> String? {
        switch (kind, json) {
        case (.json, .array): json.isFormatted ? json.text : nil
        case (.json, .object(let members)):
            members["__type"] == nil && json.isFormatted ? json.text : nil
        case (.base64, .object(let members)):
            if members["__type"] == "Bytes", case .string(let text)? = members["base64"] {
                text
            } else {
                nil
            }
        case (.geo, _): GeoPosition(parse: json)?.description
        case (.json, _), (.base64, _): nil
        }
    }
}
