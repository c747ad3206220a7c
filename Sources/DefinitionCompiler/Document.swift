import DefinitionModel

/// A document, and the way back from a place that was kept of it to what stands there.
///
/// Finding something takes time, so only what is reported should be looked for.
struct Document {
    let root: Element
    let text: SourceText

    /// Nil only for a place at which no element begins.
    func element(at place: SourcePlace) -> Element? {
        root.element(beginningAt: text.offset(of: place))
    }

    /// The value of an attribute of the element that begins there, or the element's name when it
    /// has no such attribute.
    func range(of attribute: String, at place: SourcePlace) -> Range<Int> {
        guard let element = element(at: place) else {
            let offset = text.offset(of: place)
            return offset..<offset
        }
        return element[attribute]?.valueRange ?? element.nameRange
    }
}
