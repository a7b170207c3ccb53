// Apple's platforms have the module: there the product `FoundationModels` hands it on, so that one line of a client's
// manifest serves every host. On Linux this target does not exist (Package.swift).
#if canImport(FoundationModels)
@_exported public import FoundationModels
#else
#error("This SDK has no FoundationModels: version 27 of Apple's platforms, or newer, is needed.")
#endif
