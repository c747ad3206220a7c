// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Calendar",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "Calendar", targets: ["CalendarApp"])],
    dependencies: [
        // The location of Waggle: a local folder or a repository.
        .package(name: "waggle", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "CalendarApp",
            dependencies: [.product(name: "Waggle", package: "waggle")],
            // Generates the types of the models from application.xml in each build.
            plugins: [.plugin(name: "WaggleModels", package: "waggle")]),
        .testTarget(
            name: "CalendarAppTests",
            dependencies: ["CalendarApp", .product(name: "Waggle", package: "waggle")]),
    ])
