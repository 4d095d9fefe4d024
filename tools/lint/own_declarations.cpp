// A plugin of clang-tidy: checks walk through the project's declarations and no others.
//
// clang-tidy 14 runs every check over all that a file includes and then drops what it found in
// system headers: four fifths of its time. This consumer comes before clang-tidy's and narrows what
// its matchers walk through; what the preprocessor reports is as before.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

#include <memory>
#include <string>
#include <vector>

namespace gradproof::lint {
namespace {

class OwnDeclarations : public clang::ASTConsumer {
 public:
  // Called for what is parsed: nothing of a precompiled header is, which stays unread.
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    parsed_.insert(parsed_.end(), group.begin(), group.end());
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    const clang::SourceManager& sources = context.getSourceManager();
    std::vector<clang::Decl*> own;
    for (clang::Decl* declaration : parsed_) {
      const auto place = sources.getExpansionLoc(declaration->getLocation());
      if (!sources.isInSystemHeader(place)) own.push_back(declaration);
    }
    context.setTraversalScope(own);
  }

 private:
  std::vector<clang::Decl*> parsed_;
};

class Action : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& /*compiler*/,
                                                        llvm::StringRef /*file*/) override {
    return std::make_unique<OwnDeclarations>();
  }
  bool ParseArgs(const clang::CompilerInstance& /*compiler*/,
                 const std::vector<std::string>& /*arguments*/) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Action> registered(
    "own-declarations", "checks walk through the project's declarations alone");

}  // namespace
}  // namespace gradproof::lint
