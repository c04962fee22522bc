"""Adapters: the games as environments of the libraries that people train agents with.

    from facedown_lab.adapters.pettingzoo import aec_env, parallel_env     extra `pettingzoo`
    import facedown_lab.adapters.gymnasium                                 extra `gymnasium`
    from facedown_lab.adapters.openspiel import register                   extra `openspiel`

Each knows any game that names its `picks`; nothing here names one. What an agent sees comes from views alone.
"""
