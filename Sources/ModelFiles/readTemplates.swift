import Foundation
package import Templates

/// Reads custom templates for a language, with the file names of those in the folder `Templates`.
package func readTemplates(
    of language: Language, inFolder folder: String
) throws(ModelFileError) -> TemplateTexts {
    TemplateTexts(
        header: try read(language.fileName(of: .header), inFolder: folder),
        model: try read(language.fileName(of: .model), inFolder: folder),
        definition: try read(language.fileName(of: .definition), inFolder: folder))
}

private func read(_ name: String, inFolder folder: String) throws(ModelFileError) -> String {
    let path = "\(folder)/\(name)"
    guard FileManager.default.fileExists(atPath: path) else {
        throw .missingTemplate(name, folder: folder)
    }
    do {
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    } catch {
        throw .unreadable(path, reason: error.localizedDescription)
    }
}
