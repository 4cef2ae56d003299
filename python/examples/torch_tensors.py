"""Torch sees observations without a copy, by DLPack. Not run in tests: torch is large.

    pip install torch && python python/examples/torch_tensors.py
"""

from __future__ import annotations

import torch

import gdl


def main() -> None:
    """Plays random moves and hands what is observed to torch."""
    env = gdl.make_vec(gdl.load("connect_four"), 1024, observation="planes", seed=1)
    out = env.buffers()
    _, info = env.reset(out=out)
    observations = torch.from_dlpack(out.observation)
    convolution = torch.nn.Conv2d(observations.shape[1], 16, 3, padding=1)
    for _ in range(10):
        env_out = env.step(env.sample_actions(info), out=out)
        info = env_out[-1]
        # The tensor shares the memory of the buffers: it shows the new positions.
        features = convolution(observations.float())
    print(tuple(features.shape))


if __name__ == "__main__":
    main()
