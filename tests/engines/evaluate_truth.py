"""Evaluates many models at many times with the oracle and writes what it says as raw float32.

evaluate_truth.py ORACLE JOBS OUT
  ORACLE  path of gltf_truth.py
  JOBS    JSON file: [{"model": path, "clip": index, "times": [seconds]}]
  OUT     folder for <job>.f32 and truth.json: for each job {"node<i>/prim<k>|pos": {"offset": floats, "vertices": n}},
          each array [time][vertex][xyz] of the job's file. Normals under a singular matrix are NaN.
"""
import importlib.util
import json
import os
import sys
from multiprocessing import Pool

import numpy as np


def load(path):
    spec = importlib.util.spec_from_file_location('gltf_truth', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def inverse_or_nan(matrices, inverse=np.linalg.inv):
    """The oracle falls back to another rule for a whole mesh where one matrix is singular; here only that one has no inverse."""
    volume = np.abs(np.linalg.det(matrices))
    singular = volume <= 1e-9 * np.prod(np.linalg.norm(matrices, axis=1), axis=1)
    result = inverse(np.where(singular[:, None, None], np.eye(3), matrices))
    result[singular] = np.nan
    return result


def evaluate(numbered):
    np.linalg.inv = inverse_or_nan
    number, job = numbered
    result = load(sys.argv[1]).evaluate(job['model'], '#%d' % job['clip'], job['times'], True)
    arrays, offset = {}, 0
    with open(os.path.join(sys.argv[3], '%d.f32' % number), 'wb') as file:
        for key, array in result.items():
            if '|' not in key:
                continue
            file.write(array.astype('<f4').tobytes())
            arrays[key] = {'offset': offset, 'vertices': array.shape[1]}
            offset += array.size
    return arrays


if __name__ == '__main__':
    with open(sys.argv[2]) as file:
        jobs = list(enumerate(json.load(file)))
    # The long ones first, so that no core is left alone with one at the end.
    jobs.sort(key=lambda job: -os.path.getsize(job[1]['model']) * len(job[1]['times']))
    with Pool(os.cpu_count()) as pool:
        truths = pool.map(evaluate, jobs, chunksize=1)
    ordered = [truth for _, truth in sorted(zip((number for number, _ in jobs), truths), key=lambda pair: pair[0])]
    with open(os.path.join(sys.argv[3], 'truth.json'), 'w') as file:
        json.dump(ordered, file)
