/// Whether a client may give a row this id. It is compared by bytes.
func isLegalRowID(_ id: String, _ dialect: ClientGeneration) -> Bool {
    guard !id.isEmpty, id != ".", id != ".." else { return false }
    switch dialect {
    case .services, .apps:
        return id.utf16.count <= 255
            && id.unicodeScalars.allSatisfy { scalar in
                scalar.properties.generalCategory != .control
                    && !"\"+?\\/`".unicodeScalars.contains(scalar)
            }
    case .datasync:
        let marks = "_.|:-".utf8
        return id.utf8.count <= 127
            && id.utf8.enumerated().allSatisfy { index, byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                    || index > 0 && marks.contains(byte)
            }
    }
}
