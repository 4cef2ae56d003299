//! Observations as planes: what is on the cells of the boards of a game.

use crate::turns::TurnOrder;
use gdl_boards::StateLayout;
use gdl_runtime::layout::Layout;

/// If more fluents than this are on no board, they get no planes.
const MOST_FACTS: usize = 16;

/// What is observed of a game with boards: for each channel a plane of bits, row by row from
/// the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaneLayout {
    /// What each plane means.
    pub channels: Vec<PlaneChannel>,
    /// The number of rows of a plane, that of the highest board.
    pub height: usize,
    /// The number of columns, that of the widest board.
    pub width: usize,
    /// For every bit, channel by channel and row by row, the fluent that it is, if any.
    pub fluents: Vec<Option<u32>>,
    /// The fluents that no plane shows. Those by which the rules say that cells are empty are
    /// among them.
    pub unseen: Vec<u32>,
}

/// What a plane means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaneChannel {
    /// What kind of thing it shows.
    pub kind: ChannelKind,
    /// The board, by its name; empty for what is not on a board.
    pub board: String,
    /// The piece, the role whose turn it is, or the fluent as KIF.
    pub name: String,
    /// The role to which a piece belongs, if its name says so.
    pub owner: Option<usize>,
}

/// What kind of thing a plane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChannelKind {
    /// On which cells a piece is.
    Piece,
    /// On which cells something else is, besides pieces.
    Mark,
    /// Whether it is a role's turn: all cells alike.
    Turn,
    /// Whether some other fluent holds: all cells alike.
    Fact,
}

impl ChannelKind {
    /// The kind in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Piece => "piece",
            Self::Mark => "mark",
            Self::Turn => "turn",
            Self::Fact => "fact",
        }
    }
}

/// A fluent on a cell.
struct Standing {
    channel: PlaneChannel,
    /// The board and the relation of the fluent, which tell channels of one name apart.
    place: (usize, String),
    row: u32,
    column: u32,
}

impl PlaneLayout {
    /// The planes of a game whose states look like this; `None` if it has no board.
    #[must_use]
    pub fn new(layout: &Layout, look: &StateLayout, turns: &TurnOrder) -> Option<Self> {
        let size = |size: fn(&gdl_boards::BoardLayout) -> u32| look.boards.iter().map(size).max();
        let height = size(|board| board.rows)? as usize;
        let width = size(|board| board.columns)? as usize;
        let mut planes = Planes {
            cells: height * width,
            width,
            planes: Vec::new(),
        };
        let mut others = Vec::new();
        for (fluent, base) in (0..).zip(&layout.bases) {
            match standing(look, &base.name) {
                Some(standing) => planes.stand(standing, fluent),
                None => others.push(fluent),
            }
        }
        planes
            .planes
            .sort_by(|one, other| one.order().cmp(&other.order()));
        for &(fluent, role) in &turns.fluents {
            planes.constant(
                ChannelKind::Turn,
                layout.roles[role].clone(),
                Some(role),
                fluent,
            );
        }
        let is_turn = |fluent: &u32| turns.fluents.iter().any(|(turn, _)| turn == fluent);
        others.retain(|fluent| !is_turn(fluent));
        let names_nothing =
            |&fluent: &u32| is_empty_cell(look, &layout.bases[fluent as usize].name);
        let (mut unseen, facts): (Vec<u32>, Vec<u32>) = others.into_iter().partition(names_nothing);
        if facts.len() <= MOST_FACTS {
            for fluent in facts {
                let name = layout.bases[fluent as usize].name.clone();
                planes.constant(ChannelKind::Fact, name, None, fluent);
            }
        } else {
            unseen.extend(facts);
            unseen.sort_unstable();
        }
        let (channels, fluents): (Vec<_>, Vec<_>) = (planes.planes.into_iter())
            .map(|plane| (plane.channel, plane.fluents))
            .unzip();
        Some(Self {
            channels,
            height,
            width,
            fluents: fluents.concat(),
            unseen,
        })
    }
}

/// Planes under construction.
struct Planes {
    cells: usize,
    width: usize,
    planes: Vec<Plane>,
}

struct Plane {
    channel: PlaneChannel,
    place: (usize, String),
    fluents: Vec<Option<u32>>,
}

impl Plane {
    fn order(&self) -> (usize, ChannelKind, Option<usize>, &str, &str) {
        let PlaneChannel {
            kind, name, owner, ..
        } = &self.channel;
        let owner = owner.or(Some(usize::MAX));
        (self.place.0, *kind, owner, name, &self.place.1)
    }
}

impl Planes {
    /// Shows a fluent on its cell, in the first plane of its channel that has room.
    fn stand(&mut self, standing: Standing, fluent: u32) {
        let cell = standing.row as usize * self.width + standing.column as usize;
        let has_room = |plane: &&mut Plane| {
            plane.channel == standing.channel
                && plane.place == standing.place
                && plane.fluents[cell].is_none()
        };
        if let Some(plane) = self.planes.iter_mut().find(has_room) {
            plane.fluents[cell] = Some(fluent);
            return;
        }
        let mut fluents = vec![None; self.cells];
        fluents[cell] = Some(fluent);
        self.planes.push(Plane {
            channel: standing.channel,
            place: standing.place,
            fluents,
        });
    }

    /// Shows a fluent on all cells.
    fn constant(&mut self, kind: ChannelKind, name: String, owner: Option<usize>, fluent: u32) {
        self.planes.push(Plane {
            channel: PlaneChannel {
                kind,
                board: String::new(),
                name,
                owner,
            },
            place: (usize::MAX, String::new()),
            fluents: vec![Some(fluent); self.cells],
        });
    }
}

/// Where a fluent stands, and as what.
fn standing(look: &StateLayout, fluent: &str) -> Option<Standing> {
    let picture = look.picture(&[fluent.to_owned()]);
    let (board, content) = (picture.boards.iter().enumerate()).find_map(|(board, content)| {
        let filled =
            |cell: &gdl_boards::CellContent| !(cell.pieces.is_empty() && cell.marks.is_empty());
        let cell = content.cells.iter().position(filled)?;
        Some(((board, cell), &content.cells[cell]))
    })?;
    let (board, cell) = board;
    let (kind, piece) = match (content.pieces.first(), content.marks.first()) {
        (Some(piece), _) => (ChannelKind::Piece, piece),
        (None, mark) => (ChannelKind::Mark, mark?),
    };
    let at = &look.boards[board].cells[cell];
    let relation = fluent.trim_start_matches('(').split([' ', ')']).next();
    Some(Standing {
        channel: PlaneChannel {
            kind,
            board: look.boards[board].name.clone(),
            name: piece.name.clone(),
            owner: piece.owner,
        },
        place: (board, relation.unwrap_or_default().to_lowercase()),
        row: at.row,
        column: at.column,
    })
}

/// Whether a fluent says that a cell is empty.
fn is_empty_cell(look: &StateLayout, fluent: &str) -> bool {
    let picture = look.picture(&[fluent.to_owned()]);
    let mut cells = picture.boards.iter().flat_map(|board| &board.cells);
    cells.any(|cell| !cell.empty.is_empty())
}
