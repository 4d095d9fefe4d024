#include <fmt/core.h>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;

constexpr Paths all_but_empty_on_a1{Path::Ordinary, Path::EmptyInput, Path::EmptyGradOutput};

// What a chip lacks altogether. Rules of the other groups name the products that they hold on, so
// an unsupported product breaks PROD-01 and rules of null.cpp alone.
constexpr StatusRule product_rows[] = {
    {.id = "PROD-01",
     .demand = {"the product supports the operator: Ascend310P, 910, 910B, 910_93 or 950",
                "产品须支持该算子：Ascend310P、910、910B、910_93 或 950"},
     .source = "aclnnConvolutionBackward, supported products",
     .products = {ProductClass::Unsupported},
     .standing = [](const Facts&) { return Standing::Broken; },
     .consequence =
         [](const Facts&) {
           return Consequence{invalid, inner, {invalid, inner}};
         },
     .words =
         [](const Facts& facts) {
           return fmt::format(
               "soc is {}, which the operator does not support; it runs on {}, {} and {}",
               chip(facts), names_of_products(ProductClass::A1),
               names_of_products(ProductClass::A23), names_of_products(ProductClass::A5));
         }},
    {.id = "PROD-02",
     .demand = {"3D tensors only where the product has 3D",
                "3D 卷积（input 的维数为 5）只能用在支持它的产品上"},
     .source = "aclnnConvolutionBackward, constraints of Ascend310P and Ascend910",
     .products = on_a1,
     .paths = all_but_empty_on_a1,
     .standing =
         [](const Facts& facts) {
           return facts.rank == 0 ? Standing::Undefined : met_if(facts.rank != 5);
         },
     .consequence =
         [](const Facts&) {
           return Consequence{invalid, invalid, {invalid, inner}};
         },
     .words =
         [](const Facts& facts) {
           return fmt::format("input has 5 dimensions; {} supports only 3 (1D) and 4 (2D)",
                              chip(facts));
         }},
};

}  // namespace

std::span<const StatusRule> product_rules() { return product_rows; }

}  // namespace gradproof::oracle::rules
