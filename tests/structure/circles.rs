//! Imports: no file uses, however indirectly, a file that uses it.

use super::sources::{Crate, SourceFile, crates};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use syn::visit::{self, Visit};
use syn::{Item, ItemUse, Path, UseTree, Visibility};

/// A path of names as one file writes it, from its crate's root.
type AbsolutePath = Vec<String>;

/// What a file uses of other modules of its crate, and what it passes on.
#[derive(Default)]
struct Mentions {
    module: Vec<String>,
    /// Paths in private imports and in code.
    used: Vec<AbsolutePath>,
    /// Names that the file hands on: what it calls them, and where they come from.
    reexported: BTreeMap<String, AbsolutePath>,
    /// Modules all of whose names are handed on.
    globs: Vec<AbsolutePath>,
    /// The names of the file's own items.
    defined: BTreeSet<String>,
}

impl Mentions {
    fn of(file: &SourceFile) -> Self {
        let mut mentions = Self {
            module: file.module.clone(),
            ..Self::default()
        };
        for item in &file.items {
            mentions.visit_item(item);
            mentions.defined.extend(names(item));
        }
        mentions
    }

    /// A path from the crate's root; `None` for one that leads to other crates.
    fn resolve(&self, path: &[String], children: &[String]) -> Option<AbsolutePath> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([&self.module, rest].concat()),
            "super" => {
                let supers = path.iter().take_while(|name| *name == "super").count();
                let depth = self.module.len().checked_sub(supers)?;
                Some([&self.module[..depth], &path[supers..]].concat())
            }
            name if children.iter().any(|child| child == name) => {
                Some([&self.module, path].concat())
            }
            _ => None,
        }
    }

    fn import(&mut self, item: &ItemUse, children: &[String]) {
        let mut leaves = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut leaves);
        for (path, name) in leaves {
            let Some(path) = self.resolve(&path, children) else {
                continue;
            };
            match (matches!(item.vis, Visibility::Inherited), name) {
                (true, _) => self.used.push(path),
                (false, Some(name)) => {
                    self.reexported.insert(name, path);
                }
                (false, None) => self.globs.push(path),
            }
        }
    }
}

impl Visit<'_> for Mentions {
    fn visit_item_use(&mut self, item: &ItemUse) {
        self.import(item, &[]);
    }

    // `pub(in crate::ground)` uses nothing.
    fn visit_visibility(&mut self, _: &Visibility) {}

    fn visit_path(&mut self, path: &Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if names.len() > 1
            && let Some(path) = self.resolve(&names, &[])
        {
            self.used.push(path);
        }
        visit::visit_path(self, path);
    }
}

/// The paths of an import, each with the name that it gets here (none for `*`).
fn flatten(
    tree: &UseTree,
    prefix: &mut Vec<String>,
    leaves: &mut Vec<(Vec<String>, Option<String>)>,
) {
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, leaves);
            prefix.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            leaves.push((prefix.clone(), prefix.last().cloned()));
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            leaves.push((
                [&prefix[..], std::slice::from_ref(&name)].concat(),
                Some(name),
            ));
        }
        UseTree::Rename(rename) => {
            let path = [&prefix[..], &[rename.ident.to_string()]].concat();
            leaves.push((path, Some(rename.rename.to_string())));
        }
        UseTree::Glob(_) => leaves.push((prefix.clone(), None)),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, prefix, leaves);
            }
        }
    }
}

/// The import graph of a crate: its files by number.
struct Imports {
    mentions: Vec<Mentions>,
    modules: BTreeMap<Vec<String>, usize>,
}

impl Imports {
    fn of(package: &Crate) -> Self {
        let modules: BTreeMap<_, _> = package
            .files
            .iter()
            .enumerate()
            .map(|(number, file)| (file.module.clone(), number))
            .collect();
        let mut mentions: Vec<_> = package.files.iter().map(Mentions::of).collect();
        for (file, mentions) in package.files.iter().zip(&mut mentions) {
            let children = children(&file.items);
            let imports = file.items.iter().filter_map(|item| match item {
                Item::Use(item) => Some(item),
                _ => None,
            });
            // Paths that begin with a child module are known only now.
            imports.for_each(|item| mentions.import(item, &children));
        }
        Self { mentions, modules }
    }

    /// The file that defines what a path names, through the files that hand it on.
    fn definition(&self, path: &[String]) -> Option<usize> {
        let (depth, file) = (0..=path.len())
            .rev()
            .find_map(|depth| Some((depth, *self.modules.get(&path[..depth])?)))?;
        let Some(name) = path.get(depth) else {
            return Some(file);
        };
        let mentions = &self.mentions[file];
        if let Some(source) = mentions.reexported.get(name) {
            return self.definition(source);
        }
        let from_glob = mentions
            .globs
            .iter()
            .filter_map(|module| self.modules.get(module))
            .find(|&&file| self.mentions[file].defined.contains(name));
        Some(*from_glob.unwrap_or(&file))
    }

    /// Groups of files each of which uses all others, directly or not.
    fn circles(&self) -> Vec<Vec<usize>> {
        let mut graph = DiGraphMap::<usize, ()>::new();
        for (file, mentions) in self.mentions.iter().enumerate() {
            let used = mentions
                .used
                .iter()
                .filter_map(|path| self.definition(path));
            for target in used.filter(|target| *target != file) {
                graph.add_edge(file, target, ());
            }
        }
        let mut circles = tarjan_scc(&graph);
        circles.retain(|circle| circle.len() > 1);
        circles
    }
}

/// The names that an item defines; of a macro call, all that it could define.
fn names(item: &Item) -> Vec<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Macro(item) => return words(&item.mac.tokens.to_string()),
        _ => return Vec::new(),
    };
    vec![name.to_string()]
}

fn words(text: &str) -> Vec<String> {
    let is_separator = |letter: char| !letter.is_alphanumeric() && letter != '_';
    text.split(is_separator).map(str::to_owned).collect()
}

/// The modules that a file declares.
fn children(items: &[Item]) -> Vec<String> {
    let name = |item: &Item| match item {
        Item::Mod(item) if item.content.is_none() => Some(item.ident.to_string()),
        _ => None,
    };
    items.iter().filter_map(name).collect()
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    let mut found = String::new();
    for package in crates() {
        for mut circle in Imports::of(&package).circles() {
            circle.sort_unstable();
            let _ = writeln!(found, "{}:", package.folder);
            for file in circle {
                let _ = writeln!(found, "    {}", package.files[file].path.display());
            }
        }
    }
    assert!(found.is_empty(), "files that use each other:\n{found}");
}

#[test]
fn a_circle_through_a_reexport_is_found() {
    let file = |path: &str, text: &str| SourceFile {
        path: path.into(),
        module: path
            .split('/')
            .filter(|part| !matches!(*part, "lib" | "mod"))
            .map(str::to_owned)
            .collect(),
        items: syn::parse_file(text).expect("it is Rust").items,
    };
    let files = vec![
        file("lib", "pub mod tree; mod edge; mod leaf;"),
        file("tree/mod", "mod node; pub use node::Node;"),
        file("tree/node", "pub struct Node(crate::edge::Edge);"),
        file("edge", "use crate::tree::Node; pub struct Edge(Box<Node>);"),
        file("leaf", "use crate::{edge::Edge, tree::{self}};"),
    ];
    let package = Crate {
        folder: "example/src",
        files,
    };
    let circles = Imports::of(&package).circles();
    assert_eq!(circles.len(), 1);
    let mut circle = circles[0].clone();
    circle.sort_unstable();
    assert_eq!(circle, [2, 3]);
}
