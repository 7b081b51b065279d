// What someone else's project looks like: the installed headers, by their installed names.
#include <scree/base/hash.h>
#include <scree/base/units.h>

#include <iostream>

int main() {
  const std::string hash = scree::hash_text(scree::hash_bytes("abc", 3));
  std::cout << "abc hashes to " << hash << '\n';
  const bool right = hash == "44bc2cf5ad770999" && scree::parse_quantity("1.5 km", "m") == 1500;
  return right ? 0 : 1;
}
