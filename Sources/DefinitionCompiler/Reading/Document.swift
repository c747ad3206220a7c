import DefinitionModel

/// A parsed document, with lookup of elements by their place.
///
/// A lookup takes time, so only diagnostics should need one.
struct Document {
    let root: Element
    let text: SourceText

    /// Nil only if no element begins at the place.
    func element(at place: SourcePlace) -> Element? {
        root.element(beginningAt: text.offset(of: place))
    }

    /// The value of an attribute of the element at the place; the element's name if it has no such
    /// attribute.
    func range(of attribute: String, at place: SourcePlace) -> Range<Int> {
        guard let element = element(at: place) else {
            let offset = text.offset(of: place)
            return offset..<offset
        }
        return element[attribute]?.valueRange ?? element.nameRange
    }
}
