/// Files with a capitalised name that neither declare nor extend a type with that name. In
/// `Type+feature.swift`, the name is the part before the plus sign.
func fileNameFindings(in files: [SourceText]) throws -> [Finding] {
    let pattern =
        #"\b(?:class|struct|enum|protocol|actor|typealias|extension)\s+(?:\w+\.)*(\w+)"#
    return try files.compactMap { file in
        let name = file.path.split(separator: "/").last?.prefix { $0 != "+" && $0 != "." } ?? ""
        guard name.first?.isUppercase == true, name != "Package",
            try !file.matches(of: pattern).contains(where: { $0.groups[1] == name })
        else { return nil }
        return file.finding(line: 1, "name the file after the type or function in it")
    }
}
