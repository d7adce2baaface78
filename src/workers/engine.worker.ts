import { expose } from "comlink";
import { EngineService } from "./engine-service.ts";

/** The coordinator's worker: plans, starts and ends runs. It never blocks, so the workers that it starts do start. */
expose(new EngineService());
