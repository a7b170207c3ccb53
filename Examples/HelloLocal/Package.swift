// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HelloLocal",
    dependencies: [.package(name: "hearth", path: "../..")],
    targets: [
        .executableTarget(
            name: "HelloLocal",
            dependencies: [
                .product(name: "FoundationModels", package: "hearth"), .product(name: "HearthLocal", package: "hearth"),
            ])
    ]
)
