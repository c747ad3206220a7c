/// A point of the drawing in pixels, from the upper left corner.
package struct Point: Hashable, Sendable {
    package let x: Int
    package let y: Int

    func moved(by offset: Point) -> Point { Point(x: x + offset.x, y: y + offset.y) }
}
