import sys, time, csv
import numpy as np
from causallearn.search.ScoreBased.GES import ges
path = sys.argv[1]; score = sys.argv[2]
rows = list(csv.reader(open(path))); names, rows = rows[0], rows[1:]
cols = list(zip(*rows))
X = np.array([[sorted(set(c)).index(v) for v in c] for c in cols]).T
t = time.process_time(); w = time.time()
r = ges(X, score_func=score, parameters=({"sample_prior":10.0,"structure_prior":1.0,"r_i_map":{i:len(set(c)) for i,c in enumerate(cols)}} if score=="local_score_BDeu" else None))
print(path, score, "cpu", time.process_time()-t, "wall", time.time()-w, "score", r["score"])
g = r["G"].graph
arcs=[(names[i],names[j]) for i in range(len(names)) for j in range(len(names)) if g[j][i]==1 and g[i][j]==-1]
und=[(names[i],names[j]) for i in range(len(names)) for j in range(i) if g[j][i]==-1 and g[i][j]==-1]
import json; json.dump({"arcs":arcs,"und":und}, open(path+".cl.json","w"))
