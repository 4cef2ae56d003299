//! The components of agents, from which pages make the form for an agent.

use gdl_agent::agents::registry::COMPONENTS;

use crate::messages::ComponentEntry;

/// All components, in the order of `gdl agents`.
pub(crate) fn listed() -> Vec<ComponentEntry> {
    let components = COMPONENTS.iter().map(|component| ComponentEntry {
        name: component.name,
        slot: component.slot.describe(),
        summary: component.summary,
        several: component.slot.holds_several(),
    });
    components.collect()
}
