/// A rectangle, given by its upper left corner and its size.
package struct Frame: Hashable, Sendable {
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int

    package var maxX: Int { x + width }
    package var maxY: Int { y + height }

    func moved(by offset: Point) -> Frame {
        Frame(x: x + offset.x, y: y + offset.y, width: width, height: height)
    }
}
